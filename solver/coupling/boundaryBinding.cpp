#include "solver/coupling/boundaryBinding.h"

#include "solver/core/forEach.h"

namespace purl {
namespace {

// Vertices of a skin as the points they are.
struct BindSamples {
    Span<const PointCarrier> carriers;
    int first;  // of the skin's points
    bool pushed;
    Span<PointCarrier> rides;

    PURL_HD void operator()(int k) const {
        rides[k] = carriers[k];
        for (int& vertex : rides[k].vertex) vertex = pushed && vertex >= 0 ? vertex + first : -1;
    }
};

}  // namespace

void BoundaryBinding::set(const DeformingColliders& skins, int firstSkin, const Boundary& walls, const State& state) {
    const int clothPoints = state.cloth.count(), count = static_cast<int>(skins.all().size());
    points_ = clothPoints + state.soft.count();
    first_ = walls.firstPoint(firstSkin);
    int all = 0;
    for (int s = 0; s < count; ++s) all += walls.carriersOf(firstSkin + s).count;
    carriers_.renew(all);
    int begin = 0;
    for (int s = 0; s < count; ++s) {
        const DeformingCollider& skin = skins.all()[static_cast<size_t>(s)];
        const Span<const PointCarrier> own = walls.carriersOf(firstSkin + s);
        const int first = skin.first + (skin.ofCloth ? 0 : clothPoints);
        forEach(carriers_.device(), "setRides", own.count,
                BindSamples{own, first, skin.pushed, {carriers_.data() + begin, own.count}});
        begin += own.count;
    }
    carriers_.device().synchronize();
}

}  // namespace purl
