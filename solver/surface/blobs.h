// A liquid's particles as its field sees them: blobs, sorted by the block they lie in. All lengths are in cells.
#pragma once
#include <cstddef>
#include <vector>

#include "solver/frame.h"
#include "solver/surface/blocks.h"

namespace purl {

// W(q) = peak (1 − q²)³ within q < 1; what q is, its form says.
struct alignas(16) Blob {
    Vec3 x;  // from its block's first node
    float peak;
};

// q² = a dx² + b dx + 1 − c along a row of nodes.
struct RowForm {
    float a, b, c;
};

// A ball: q = r / radius. Nothing is left where 1 − q² ≤ floor.
struct Ball {
    float inverse;  // 1 / radius²
    float radius;
    float floor;

    PURL_HD RowForm row(float dy, float dz) const { return {inverse, 0, 1 - (dy * dy + dz * dz) * inverse}; }
    PURL_HD float highest(const RowForm& row) const { return row.c; }  // 1 − q² where it is largest along the row
    PURL_HD Vec3 extent() const { return {radius, radius, radius}; }
    PURL_HD float left(Vec3 d) const {  // 1 − q², or 0
        const float q = 1 - lengthSquared(d) * inverse;
        return q > floor ? q : 0;
    }
    PURL_HD Vec3 slope(Vec3 d) const { return inverse * d; }  // ½ ∇q²
};

// An ellipsoid: q² = dᵀ M d.
struct Ellipsoid {
    float xx, xy, xz, yy, yz, zz;  // M
    Vec3 half;                     // how far it reaches along each axis
    static constexpr float floor = 0;

    PURL_HD RowForm row(float dy, float dz) const {
        return {xx, 2 * (xy * dy + xz * dz), 1 - (yy * dy * dy + 2 * yz * dy * dz + zz * dz * dz)};
    }
    PURL_HD float highest(const RowForm& row) const { return row.c + row.b * row.b / (4 * row.a); }
    PURL_HD Vec3 extent() const { return half; }
    PURL_HD Vec3 slope(Vec3 d) const {
        return {xx * d.x + xy * d.y + xz * d.z, xy * d.x + yy * d.y + yz * d.z, xz * d.x + yz * d.y + zz * d.z};
    }
    PURL_HD float left(Vec3 d) const {
        const float q = 1 - dot(d, slope(d));
        return q > 0 ? q : 0;
    }
};

// Points sorted by the blocks they lie in: where those of each block begin.
struct BlockRuns {
    Span<const uint64_t> keys;  // of the blocks that hold some, sorted
    Span<const int> starts;     // first point of each, and the end

    // Visits, in one fixed order, the points of all blocks that lie within `reach` of a box: visit(index, where its
    // block begins). Box and beginnings are counted from the first node of block `here`.
    template <class Visit>
    PURL_HD void forEachNear(BlockPlace here, Vec3 low, Vec3 high, float reach, Visit&& visit) const {
        const auto blockOf = [](float x) { return static_cast<int>(std::floor(x * (1.0f / kEdge))); };
        const int x0 = blockOf(low.x - reach), x1 = blockOf(high.x + reach);
        for (int z = blockOf(low.z - reach); z <= blockOf(high.z + reach); ++z)
            for (int y = blockOf(low.y - reach); y <= blockOf(high.y + reach); ++y) {
                const uint64_t last = keyOf({here.x + x1, here.y + y, here.z + z});
                for (int k = lowerBound(keys, keyOf({here.x + x0, here.y + y, here.z + z}));
                     k < keys.count && keys[k] <= last; ++k) {
                    const Vec3 offset{static_cast<float>(kEdge * (placeOf(keys[k]).x - here.x)),
                                      static_cast<float>(kEdge * y), static_cast<float>(kEdge * z)};
                    for (int j = starts[k]; j < starts[k + 1]; ++j) visit(j, offset);
                }
            }
    }
};

// What kernels see.
template <class Form>
struct BlobView {
    using FormType = Form;

    BlockRuns runs;
    Span<const Blob> blobs;
    Span<const Form> forms;
    float reach;  // of the farthest-reaching blob

    // Those of all blocks that may reach into a box: visit(index, place).
    template <class Visit>
    PURL_HD void forEachNear(BlockPlace here, Vec3 low, Vec3 high, Visit&& visit) const {
        runs.forEachNear(here, low, high, reach, [&](int j, Vec3 offset) { visit(j, blobs[j].x + offset); });
    }
};

// Points in the order of their blocks.
struct Members {
    Buffer<int> particles;  // which each was
    Buffer<uint64_t> keys;  // of the blocks that hold some
    Buffer<int> starts;
    Buffer<Vec3> x;  // from their block's first node

    explicit Members(const Device& device) : particles(device), keys(device), starts(device), x(device) {}
    int count() const { return x.size(); }
    BlockRuns runs() const { return {keys.span(), starts.span()}; }
};

// Throws Error, in `name`'s name, where a point is not finite or too far away for blocks of such cells.
Members intoBlocks(const Buffer<Vec3>& points, double cell, const std::string& name);
// The particles of some bodies; `particles` are indices into the frame's points. With `mirrored`, a particle near a
// wall comes twice: where it is, and mirrored in the wall.
Members gather(const Device& device, const Frame& frame, const std::vector<int>& bodies, double cell,
               const std::string& name, bool mirrored);

}  // namespace purl
