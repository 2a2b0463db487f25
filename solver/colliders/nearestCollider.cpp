#include "solver/colliders/nearestCollider.h"

#include "solver/core/forEach.h"

namespace purl {
namespace {

// Minimum length of an offset, relative to the reach; closer particles count as lying on the collider.
constexpr float kMinOffset = 1e-3f;

struct FindOffsets {
    Span<const PlacedCollider> colliders;
    Span<const Vec3> x;
    Span<const float> reach;
    Span<Vec3> offset;

    PURL_HD void operator()(int i) const {
        offset[i] = {};
        if (!isFinite(x[i])) return;
        float nearest = reach[i];
        for (const PlacedCollider& collider : colliders) {
            if (collider.kills) continue;
            float distance = nearest;
            const Vec3 direction = directionToCollider(collider, x[i], nearest, distance);
            if (!(lengthSquared(direction) > 0) || !(distance < nearest)) continue;
            const float least = kMinOffset * reach[i];
            nearest = distance > least ? distance : least;
            offset[i] = nearest * direction;
        }
    }
};

}  // namespace

std::vector<Vec3> wallOffsets(const Device& device, const std::vector<Vec3>& points, const std::vector<float>& reach,
                              Span<const PlacedCollider> colliders) {
    const auto count = static_cast<int>(points.size());
    Buffer<Vec3> x(device, count), offset(device, count);
    Buffer<float> reaches(device, count);
    std::copy(points.begin(), points.end(), x.begin());
    std::copy(reach.begin(), reach.end(), reaches.begin());
    forEach(device, "wallOffsets", count,
            FindOffsets{colliders, std::as_const(x).span(), std::as_const(reaches).span(), offset.span()});
    return {offset.begin(), offset.end()};
}

}  // namespace purl
