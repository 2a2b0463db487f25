#include "solver/knit/knits.h"

namespace purl {

void Knits::make(const Scene& scene, const State& state) {
    std::vector<KnitFabric> fabrics;
    const Vec3* rest = state.knit.rest.data();
    for (const Knit& knit : scene.knits) {
        fabrics.emplace_back(device_, knit, std::vector<Vec3>(rest, rest + knit.points.size()));
        rest += knit.points.size();
    }
    fabrics_.swap(fabrics);
}

void Knits::update(const Scene& scene, const State& state) {
    bool fits = fabrics_.size() == scene.knits.size();
    for (size_t k = 0; fits && k < fabrics_.size(); ++k) fits = fabrics_[k].fits(scene.knits[k]);
    if (!fits) make(scene, state);
}

std::vector<Curves> Knits::curvesOf(const State& state, const Scene& scene) const {
    std::vector<Curves> curves;
    int first = 0;
    for (size_t k = 0; k < fabrics_.size(); ++k) {
        const auto count = static_cast<int>(scene.knits[k].points.size());
        const Span<const Vec3> x{state.knit.x.data() + first, count}, v{state.knit.v.data() + first, count};
        curves.push_back(fabrics_[k].curvesOf(fabrics_[k].follow(x, v)));
        first += count;
    }
    return curves;
}

std::vector<std::string> Knits::notes() const {
    std::vector<std::string> notes;
    for (const KnitFabric& fabric : fabrics_) notes.insert(notes.end(), fabric.notes().begin(), fabric.notes().end());
    return notes;
}

int knitPointsOf(const Scene& scene) {
    size_t count = 0;
    for (const Knit& knit : scene.knits) count += knit.points.size();
    return static_cast<int>(count);
}

void startKnits(State& state, const Scene& scene) {
    for (Buffer<Vec3>* channel : {&state.knit.x, &state.knit.v, &state.knit.rest}) channel->resize(knitPointsOf(scene));
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
