#include "solver/knit/knits.h"

#include <algorithm>

#include "solver/core/error.h"

namespace purl {
namespace {

std::vector<KnitFabric> makeFabrics(const Device& device, const Scene& scene, const State& state) {
    std::vector<KnitFabric> fabrics;
    const Vec3* rest = state.knit.rest.data();
    for (const Knit& knit : scene.knits) {
        fabrics.emplace_back(device, knit, std::vector<Vec3>(rest, rest + knit.points.size()));
        rest += knit.points.size();
    }
    return fabrics;
}

// Number of layers of a knit as a cloth; 0: it is not simulated as cloth.
int clothLayers(const Scene& scene, const Knit& knit) {
    if (knit.params.motion == KnitMotion::simulated) return kKnitLayers;
    return scene.fluids.empty() ? 0 : 1;
}

}  // namespace

void Knits::make(const Scene& scene, const State& state) { fabrics_ = makeFabrics(device_, scene, state); }

void Knits::update(const Scene& scene, const State& state) {
    bool fits = fabrics_.size() == scene.knits.size();
    for (size_t k = 0; fits && k < fabrics_.size(); ++k) fits = fabrics_[k].fits(scene.knits[k]);
    if (fits) return;
    std::vector<KnitFabric> fabrics = makeFabrics(device_, scene, state);
    for (size_t k = 0; k < std::min(fabrics.size(), fabrics_.size()); ++k) {
        const Knit &before = fabrics_[k].knit(), &now = scene.knits[k];
        if (before.params.motion != now.params.motion)
            throw Error(now.name + ": motion changed after the start; go back to the start frame");
        if (clothLayers(scene, now) > 0 && fabrics[k].massPoints() != fabrics_[k].massPoints())
            throw Error(now.name + ": its number of stitches changed after the start; go back to the start frame");
    }
    fabrics_.swap(fabrics);
}

Scene Knits::woven(const Scene& scene) const {
    Scene woven = scene;
    for (size_t k = 0; k < fabrics_.size(); ++k) {
        const int layers = clothLayers(scene, scene.knits[k]);
        if (layers == 0) continue;
        Cloth cloth = fabrics_[k].asCloth(scene.knits[k], layers);
        WetParams& wet = cloth.pores.params;
        if (scene.fluids.empty() && !(wet.startWetness > 0)) {  // stays dry anyway
            wet.absorption = Absorption::none;
            wet.reference.absorption = ReferenceAbsorption::none;
        }
        if (scene.knits[k].params.motion == KnitMotion::follow) {
            cloth.pins.assign(cloth.points.size(), 1);
            cloth.params.stretchStiffness = cloth.params.shearStiffness = cloth.params.bendStiffness = 0;
            cloth.params.bendSpring = 0;
            cloth.params.selfCollision = SelfCollision::none;
        }
        woven.cloths.push_back(std::move(cloth));
    }
    return woven;
}

std::vector<Curves> Knits::makeCurves(const State& state, const Scene& scene) const {
    std::vector<Curves> curves;
    int first = 0, cloth = static_cast<int>(scene.cloths.size());
    for (size_t k = 0; k < fabrics_.size(); ++k) {
        const KnitFabric& fabric = fabrics_[k];
        const bool simulated = scene.knits[k].params.motion == KnitMotion::simulated;
        const auto count = static_cast<int>(scene.knits[k].points.size());
        const auto at = [](const Buffer<Vec3>& buffer, int from, int size) {
            return Span<const Vec3>{buffer.data() + from, size};
        };
        const int firstPoint = simulated ? state.cloth.firstOf(cloth) : 0,
                  clothPoints = kKnitLayers * fabric.massPoints();
        curves.push_back(fabric.makeCurves(
            simulated ? fabric.layersFromCloth(at(state.cloth.x, firstPoint, clothPoints),
                                               at(state.cloth.v, firstPoint, clothPoints))
                      : fabric.follow(at(state.knit.x, first, count), at(state.knit.v, first, count))));
        first += count;
        cloth += clothLayers(scene, scene.knits[k]) > 0 ? 1 : 0;
    }
    return curves;
}

std::vector<std::string> Knits::notes() const {
    std::vector<std::string> notes;
    for (const KnitFabric& fabric : fabrics_) notes.insert(notes.end(), fabric.notes().begin(), fabric.notes().end());
    return notes;
}

int knitPointCount(const Scene& scene) {
    size_t count = 0;
    for (const Knit& knit : scene.knits) count += knit.points.size();
    return static_cast<int>(count);
}

void startKnits(State& state, const Scene& scene) {
    for (Buffer<Vec3>* channel : {&state.knit.x, &state.knit.v, &state.knit.rest})
        channel->resize(knitPointCount(scene));
    moveKnits(state, scene, 0);
    state.knit.rest = state.knit.x;
}

void moveKnits(State& state, const Scene& scene, double duration) {
    KnitPoints& points = state.knit;
    int i = 0;
    for (const Knit& knit : scene.knits)
        for (const Vec3 place : knit.points) {
            points.v[i] = duration > 0 ? (place - points.x[i]) / static_cast<float>(duration) : Vec3{};
            points.x[i++] = place;
        }
}

}  // namespace purl
