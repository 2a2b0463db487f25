#include "solver/coupling/boundaryBinding.h"

#include "solver/core/forEach.h"

namespace purl {
namespace {

// Converts vertices of a deforming collider to point indices.
struct BindSamples {
    Span<const PointCarrier> carriers;
    int firstPoint;  // of the collider's vertices
    bool pushed;
    Span<PointCarrier> bound;

    PURL_HD void operator()(int k) const {
        bound[k] = carriers[k];
        for (int& vertex : bound[k].vertex) vertex = pushed && vertex >= 0 ? vertex + firstPoint : -1;
    }
};

}  // namespace

void BoundaryBinding::set(const StepColliders& colliders, int firstDeforming, const Boundary& boundary,
                          const State& state) {
    const int clothPoints = state.cloth.count(), count = static_cast<int>(colliders.deforming.size());
    points_ = clothPoints + state.soft.count();
    first_ = boundary.firstPoint(firstDeforming);
    int samples = 0;
    for (int c = 0; c < count; ++c) samples += boundary.carriersOf(firstDeforming + c).size();
    const auto bind = [&](Buffer<PointCarrier>& bound) {
        bound.resizeDiscard(samples);
        int begin = 0;
        for (int c = 0; c < count; ++c) {
            const DeformingCollider& collider = colliders.deforming[c];
            const Span<const PointCarrier> own = boundary.carriersOf(firstDeforming + c).spanOn(bound.device());
            const int firstPoint = collider.first + (collider.isCloth ? 0 : clothPoints);
            forEach(bound.device(), "bindSamples", own.count,
                    BindSamples{own, firstPoint, collider.pushed, {bound.data() + begin, own.count}});
            begin += own.count;
        }
    };
    bind(carriers_);
    if (!carriers_.device().isCpu()) bind(onHost_);
}

}  // namespace purl
