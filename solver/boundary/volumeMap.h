// VolumeMap: the integral of the smoothing kernel over a rigid solid, φ(x) = ∫_solid W(|x − x′|) dx′, precomputed on a
// sparse grid in the solid's local frame and interpolated by cubic B-splines. A single sample can then represent the
// solid (Koschier and Bender 2017, density maps; Bender et al. 2019, volume maps). Only bricks near the surface exist.
#pragma once
#include <cstdint>
#include <string>

#include "solver/boundary/boundaryKernel.h"
#include "solver/core/mirrored.h"
#include "solver/scene.h"
#include "solver/search/triangleTree.h"

namespace purl {

// Signed distance to a collider's solid region in its local frame, negative inside. The solid region of a container is
// its outside; an open mesh is a sheet of thickness `sheet`. Not used for planes.
struct SolidDistance {
    ColliderShape shape = ColliderShape::sphere;
    bool container = false;
    float radius = 0, halfLength = 0;
    Vec3 halfSize;
    TriangleTreeView mesh;
    float sheet = 0;  // m
    float grow = 0;   // m, offset of the surface, outwards if positive

    // `bound`, m: known upper bound of the unsigned distance; it limits the search in a mesh.
    PURL_HD float operator()(Vec3 x, float bound = 1e30f) const {
        // The mesh itself may be farther away than its offset surface.
        const float within = bound + std::fabs(grow) + sheet;
        if (shape == ColliderShape::mesh && !mesh.closed) return mesh.closest(x, within).distance - 0.5f * sheet;
        const float d = surface(x, within);
        return (container ? -d : d) - grow;
    }
    // Signed distance to the shape itself, negative inside.
    PURL_HD float surface(Vec3 x, float within = 1e30f) const {
        switch (shape) {
            case ColliderShape::sphere: return length(x) - radius;
            case ColliderShape::capsule: return length(x - Vec3{0, clamp(x.y, -halfLength, halfLength), 0}) - radius;
            case ColliderShape::box: {
                const Vec3 q = Vec3{std::fabs(x.x), std::fabs(x.y), std::fabs(x.z)} - halfSize;
                const float deepest = q.x > q.y ? (q.x > q.z ? q.x : q.z) : (q.y > q.z ? q.y : q.z);
                return deepest > 0 ? length(max(q, Vec3{})) : deepest;
            }
            case ColliderShape::plane: return x.y;
            case ColliderShape::mesh: break;
        }
        const ClosestPoint nearest = mesh.closest(x, within);
        return dot(x - nearest.point, nearest.normal) < 0 ? -nearest.distance : nearest.distance;
    }
    PURL_HD Bounds bounds() const {
        switch (shape) {
            case ColliderShape::mesh: return mesh.bounds();
            case ColliderShape::box: return {-halfSize, halfSize};
            default: {
                const Vec3 corner{radius, radius + (shape == ColliderShape::capsule ? halfLength : 0), radius};
                return {-corner, corner};
            }
        }
    }
};

// Sparse grid of bricks, for kernels. A brick is kBrick cells wide. Cell i is interpolated from nodes i − 1 … i + 2
// along each axis; each brick stores all the nodes that its cells need.
struct VolumeMapView {
    static constexpr int kBrick = 8, kNodes = kBrick + 3;

    Vec3 low;
    float cell = 1;  // m
    int bricksX = 0, bricksY = 0, bricksZ = 0;
    const int* brickAt = nullptr;  // index of the stored brick; −1: none, φ does not vary there
    const float* nodes = nullptr;  // spline coefficients, kNodes³ per brick
    // m. Long straight parts of boxes and capsules are shortened in the map: coordinates within ±fold of the origin all
    // map to the origin.
    Vec3 fold;
    // Occupancy mask, eight words per brick (one per layer of cells along z) with a bit per cell: φ > 0 in the cell.
    const uint64_t* filled = nullptr;

    PURL_HD Bounds bounds() const {
        const float brick = cell * kBrick;
        const Vec3 size{static_cast<float>(bricksX), static_cast<float>(bricksY), static_cast<float>(bricksZ)};
        return {low - fold, low + brick * size + fold};
    }
    PURL_HD int brickIndex(int x, int y, int z) const { return (z * bricksY + y) * bricksX + x; }
    // Finds the brick at x, and the coordinates in it in units of cells. Returns −1 if there is no brick.
    PURL_HD int find(Vec3 x, Vec3& inBrick) const {
        const Vec3 p = (x - max(-fold, min(x, fold)) - low) / cell;
        if (!(p.x >= 0 && p.y >= 0 && p.z >= 0)) return -1;
        if (!(p.x < static_cast<float>(bricksX * kBrick) && p.y < static_cast<float>(bricksY * kBrick) &&
              p.z < static_cast<float>(bricksZ * kBrick)))
            return -1;
        const int bx = static_cast<int>(p.x) / kBrick, by = static_cast<int>(p.y) / kBrick,
                  bz = static_cast<int>(p.z) / kBrick;
        inBrick =
            p - Vec3{static_cast<float>(bx * kBrick), static_cast<float>(by * kBrick), static_cast<float>(bz * kBrick)};
        return brickAt[brickIndex(bx, by, bz)];
    }
    PURL_HD static int cellIn(float p) {
        const int whole = static_cast<int>(p);
        return whole < 0 ? 0 : whole < kBrick ? whole : kBrick - 1;
    }
    PURL_HD bool isNear(Vec3 x) const {
        Vec3 p;
        const int brick = find(x, p);
        return brick >= 0 && (filled[kBrick * brick + cellIn(p.z)] >> (kBrick * cellIn(p.y) + cellIn(p.x)) & 1);
    }
    // φ and its gradient (1/m), which points into the solid. Both are 0 where there is no brick.
    PURL_HD float share(Vec3 x, Vec3& gradient) const;
};

class VolumeMap {
  public:
    explicit VolumeMap(const Device& device = Device::cpu());

    // Throws Error, beginning with `name`, if the grid would be too large.
    void build(const std::string& name, const SolidDistance& solid, const BoundaryKernel& kernel);
    VolumeMapView view() const;
    int brickCount() const {
        return nodes_.size() / (VolumeMapView::kNodes * VolumeMapView::kNodes * VolumeMapView::kNodes);
    }

  private:
    Device device_;
    VolumeMapView layout_;
    Mirrored<int> brickAt_;
    Mirrored<float> nodes_;
    Mirrored<uint64_t> filled_;
};

// Uniform cubic B-spline at t in 0 … 1 of a cell: weights of the four nodes, and the derivatives of the weights.
PURL_HD inline void splineWeights(float t, float (&w)[4], float (&slope)[4]) {
    const float s = 1 - t;
    w[0] = s * s * s / 6;
    w[1] = (4 + t * t * (3 * t - 6)) / 6;
    w[2] = (4 + s * s * (3 * s - 6)) / 6;
    w[3] = t * t * t / 6;
    slope[0] = -s * s / 2;
    slope[1] = t * (3 * t - 4) / 2;
    slope[2] = -s * (3 * s - 4) / 2;
    slope[3] = t * t / 2;
}

PURL_HD inline float VolumeMapView::share(Vec3 x, Vec3& gradient) const {
    Vec3 p;
    gradient = {};
    const int brick = find(x, p);
    if (brick < 0) return 0;
    int at[3] = {};
    float w[3][4], slope[3][4];
    for (int axis = 0; axis < 3; ++axis) {
        at[axis] = cellIn(p[axis]);
        splineWeights(p[axis] - static_cast<float>(at[axis]), w[axis], slope[axis]);
    }
    const float* const corner = nodes + static_cast<size_t>(brick) * kNodes * kNodes * kNodes;
    float value = 0;
    for (int k = 0; k < 4; ++k)
        for (int j = 0; j < 4; ++j) {
            const float* const row = corner + ((at[2] + k) * kNodes + at[1] + j) * kNodes + at[0];
            float sum = 0, rise = 0;
            for (int i = 0; i < 4; ++i) {
                sum += w[0][i] * row[i];
                rise += slope[0][i] * row[i];
            }
            value += w[2][k] * w[1][j] * sum;
            gradient.x += w[2][k] * w[1][j] * rise;
            gradient.y += w[2][k] * slope[1][j] * sum;
            gradient.z += slope[2][k] * w[1][j] * sum;
        }
    gradient = gradient / cell;
    return value;
}

}  // namespace purl
