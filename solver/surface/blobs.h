// The blobs of a liquid's scalar field, one per particle, sorted by grid block. All lengths are in cells.
#pragma once
#include <cstddef>
#include <vector>

#include "solver/frame.h"
#include "solver/surface/blocks.h"

namespace purl {

// W(q) = peak (1 − q²)³ for q < 1; the form (Ball or Ellipsoid) defines q.
struct alignas(16) Blob {
    Vec3 x;  // relative to the first node of its block
    float peak;
};

// q² = a dx² + b dx + 1 − c along a row of nodes.
struct RowQuadratic {
    float a, b, c;
};

// Isotropic: q = r / radius. Contributes nothing where 1 − q² ≤ floor.
struct Ball {
    float inverse;  // 1 / radius²
    float radius;
    float floor;

    PURL_HD RowQuadratic row(float dy, float dz) const { return {inverse, 0, 1 - (dy * dy + dz * dz) * inverse}; }
    PURL_HD float rowMaximum(const RowQuadratic& row) const { return row.c; }  // largest 1 − q² along the row
    PURL_HD Vec3 extent() const { return {radius, radius, radius}; }
    PURL_HD float falloff(Vec3 d) const {  // 1 − q², or 0 outside
        const float q = 1 - lengthSquared(d) * inverse;
        return q > floor ? q : 0;
    }
    PURL_HD Vec3 halfGradient(Vec3 d) const { return inverse * d; }  // ½ ∇q²
};

// Anisotropic: q² = dᵀ M d.
struct Ellipsoid {
    float xx, xy, xz, yy, yz, zz;  // M
    Vec3 half;                     // half size of the bounding box
    static constexpr float floor = 0;

    PURL_HD RowQuadratic row(float dy, float dz) const {
        return {xx, 2 * (xy * dy + xz * dz), 1 - (yy * dy * dy + 2 * yz * dy * dz + zz * dz * dz)};
    }
    PURL_HD float rowMaximum(const RowQuadratic& row) const { return row.c + row.b * row.b / (4 * row.a); }
    PURL_HD Vec3 extent() const { return half; }
    PURL_HD Vec3 halfGradient(Vec3 d) const {
        return {xx * d.x + xy * d.y + xz * d.z, xy * d.x + yy * d.y + yz * d.z, xz * d.x + yz * d.y + zz * d.z};
    }
    PURL_HD float falloff(Vec3 d) const {
        const float q = 1 - dot(d, halfGradient(d));
        return q > 0 ? q : 0;
    }
};

// CSR ranges of points sorted by block.
struct BlockRuns {
    Span<const uint64_t> keys;  // keys of the occupied blocks, sorted
    Span<const int> starts;     // first point of each block, and the end

    // Visits, in a fixed order, the points of all blocks within `reach` of a box: visit(index, origin of its block).
    // Box and origins are relative to the first node of block `here`.
    template <class Visit>
    PURL_HD void forEachNear(BlockCoord here, Vec3 low, Vec3 high, float reach, Visit&& visit) const {
        const auto blockOf = [](float x) { return static_cast<int>(std::floor(x * (1.0f / kEdge))); };
        const int x0 = blockOf(low.x - reach), x1 = blockOf(high.x + reach);
        for (int z = blockOf(low.z - reach); z <= blockOf(high.z + reach); ++z)
            for (int y = blockOf(low.y - reach); y <= blockOf(high.y + reach); ++y) {
                const uint64_t last = blockKey({here.x + x1, here.y + y, here.z + z});
                for (int k = lowerBound(keys, blockKey({here.x + x0, here.y + y, here.z + z}));
                     k < keys.count && keys[k] <= last; ++k) {
                    const Vec3 offset{static_cast<float>(kEdge * (blockCoord(keys[k]).x - here.x)),
                                      static_cast<float>(kEdge * y), static_cast<float>(kEdge * z)};
                    for (int j = starts[k]; j < starts[k + 1]; ++j) visit(j, offset);
                }
            }
    }
};

// The view for kernels.
template <class Form>
struct BlobView {
    using FormType = Form;

    BlockRuns runs;
    Span<const Blob> blobs;
    Span<const Form> forms;
    float reach;  // of the largest blob

    // visit(index, position) for the blobs of all blocks that may reach into a box.
    template <class Visit>
    PURL_HD void forEachNear(BlockCoord here, Vec3 low, Vec3 high, Visit&& visit) const {
        runs.forEachNear(here, low, high, reach, [&](int j, Vec3 offset) { visit(j, blobs[j].x + offset); });
    }
};

// Points sorted by block.
struct SortedPoints {
    Buffer<int> particles;  // index of each point in the input
    Buffer<uint64_t> keys;  // of the occupied blocks
    Buffer<int> starts;
    Buffer<Vec3> x;  // relative to the first node of the block

    explicit SortedPoints(const Device& device) : particles(device), keys(device), starts(device), x(device) {}
    int count() const { return x.size(); }
    BlockRuns runs() const { return {keys.span(), starts.span()}; }
};

// Throws Error, prefixed with `name`, if a point is not finite or too far away for blocks of this cell size.
SortedPoints sortIntoBlocks(const Buffer<Vec3>& points, double cell, const std::string& name);
// The particles of some bodies; `particles` are indices into the frame's points. With `mirrored`, a particle near a
// wall appears a second time, mirrored at the wall.
SortedPoints gather(const Device& device, const Frame& frame, const std::vector<int>& bodies, double cell,
                    const std::string& name, bool mirrored);

}  // namespace purl
