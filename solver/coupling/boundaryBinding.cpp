#include "solver/coupling/boundaryBinding.h"

#include <utility>

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

// Sort keys of the points of each carrier; `none` for unused places.
struct CarrierKeys {
    Span<const PointCarrier> carriers;
    int none;
    Span<uint64_t> keys;
    Span<int> order;

    PURL_HD void operator()(int k) const {
        bool used = true;
        for (int c = 0; c < 3; ++c) {
            used = used && carriers[k].vertex[c] >= 0;
            keys[3 * k + c] = static_cast<uint64_t>(used ? carriers[k].vertex[c] : none);
            order[3 * k + c] = 3 * k + c;
        }
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
    const Device& device = carriers_.device();
    carriers_.resizeDiscard(samples);
    int begin = 0;
    for (int c = 0; c < count; ++c) {
        const DeformingCollider& collider = colliders.deforming[c];
        const Span<const PointCarrier> own = boundary.carriersOf(firstDeforming + c).span();
        const int firstPoint = collider.first + (collider.isCloth ? 0 : clothPoints);
        forEach(device, "bindSamples", own.count,
                BindSamples{own, firstPoint, collider.pushed, {carriers_.data() + begin, own.count}});
        begin += own.count;
    }
    if (device.isCpu()) return;
    keys_.resizeDiscard(3 * samples);
    order_.resizeDiscard(3 * samples);
    forEach(device, "carrierKeys", samples,
            CarrierKeys{std::as_const(carriers_).span(), points_, keys_.span(), order_.span()});
    sortByKey(keys_, order_, bitsOfKeys(points_));
}

}  // namespace purl
