#include "solver/cache/points.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace purl {
namespace {

Frame withoutContents(const Frame& frame) {
    Frame empty;
    empty.time = frame.time;
    empty.metersPerUnit = frame.metersPerUnit;
    empty.stateHash = frame.stateHash;
    empty.stats = frame.stats;
    return empty;
}

}  // namespace

Frame onlyBody(const Frame& frame, int body) {
    Frame part = withoutContents(frame);
    part.bodies.push_back(frame.bodies[body]);
    Points copy;
    const Points& points = bodyPoints(frame, body, copy);
    part.points = &points == &copy ? std::move(copy) : points;
    part.points.bodies.assign(part.points.count(), 0);
    return part;
}

const Points& bodyPoints(const Frame& frame, int body, Points& copy) {
    if (frame.bodies.size() == 1 || frame.points.bodies.empty()) return frame.points;
    copy = pointsOf(frame, body);
    return copy;
}

Frame onlyMesh(const Frame& frame, int mesh) {
    Frame part = withoutContents(frame);
    part.meshes.push_back(frame.meshes[mesh]);
    return part;
}

Frame onlyCurves(const Frame& frame, int knit) {
    Frame part = withoutContents(frame);
    part.curves.push_back(frame.curves[knit]);
    return part;
}

void sortById(Points& points) {
    if (std::is_sorted(points.ids.begin(), points.ids.end())) return;
    std::vector<size_t> order(points.ids.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return points.ids[a] < points.ids[b]; });
    Points::channels(points, [&](const char*, auto& values, bool) {
        if (values.size() != order.size()) return;
        auto sorted = values;
        for (size_t i = 0; i < order.size(); ++i) sorted[i] = values[order[i]];
        values = std::move(sorted);
    });
}

}  // namespace purl
