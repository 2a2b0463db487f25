#include "app/tint.h"

#include <algorithm>
#include <cmath>

#include "render/view.h"
#include "solver/core/error.h"

namespace purl {
namespace {

// Per vertex the strain of largest magnitude over its edges, relative to the start: 0.1 is ten percent longer.
std::vector<float> strainsOf(const std::vector<Vec3>& now, const std::vector<Vec3>& before,
                             const std::vector<std::pair<int, int>>& edges) {
    std::vector<float> strains(now.size(), 0.0f);
    if (before.size() != now.size()) return strains;
    for (const auto& edge : edges) {
        const auto a = static_cast<size_t>(edge.first), b = static_cast<size_t>(edge.second);
        const float restLength = length(before[a] - before[b]);
        if (!(restLength > 0)) continue;
        const float strain = length(now[a] - now[b]) / restLength - 1;
        for (const size_t end : {a, b})
            if (std::abs(strain) > std::abs(strains[end])) strains[end] = strain;
    }
    return strains;
}

std::vector<std::pair<int, int>> edgesOf(const Mesh& mesh) {
    std::vector<std::pair<int, int>> edges;
    for (size_t t = 0; t + 2 < mesh.triangles.size(); t += 3)
        for (size_t k = 0; k < 3; ++k) edges.emplace_back(mesh.triangles[t + k], mesh.triangles[t + (k + 1) % 3]);
    return edges;
}

std::vector<std::pair<int, int>> edgesOf(const Curves& curves) {
    std::vector<std::pair<int, int>> edges;
    int first = 0;
    for (const int count : curves.counts) {
        for (int i = 1; i < count; ++i) edges.emplace_back(first + i - 1, first + i);
        first += count;
    }
    return edges;
}

std::vector<float> lengthsOf(const std::vector<Vec3>& vectors, double scale) {
    std::vector<float> lengths;
    lengths.reserve(vectors.size());
    for (const Vec3 v : vectors) lengths.push_back(static_cast<float>(scale) * length(v));
    return lengths;
}

// Density deviation of each particle from its rest density, in percent.
std::vector<float> densityErrorsOf(const Frame& frame) {
    const Points& points = frame.points;
    if (points.densities.size() != points.count() || points.bodies.size() != points.count()) return {};
    std::vector<float> errors;
    errors.reserve(points.count());
    for (size_t i = 0; i < points.count(); ++i)
        errors.push_back(100 * (points.densities[i] / frame.bodies.at(size_t(points.bodies[i])).restDensity - 1));
    return errors;
}

std::vector<float> valuesOf(const Frame& frame, Show show) {
    switch (show) {
        case Show::speed: return lengthsOf(frame.points.velocities, frame.metersPerUnit);
        case Show::density: return frame.points.densities;
        case Show::densityError: return densityErrorsOf(frame);
        case Show::pressure: return frame.points.pressures;
        case Show::age: return frame.points.ages;
        case Show::wetness: return frame.points.wetting.wetness;
        default: return {};
    }
}

// Values of a cloth, soft body or knit.
template <class Fabric>
std::vector<float> valuesOf(const Fabric& fabric, const Fabric* start, Show show, double meters) {
    std::vector<float> values;
    if (show == Show::speed) values = lengthsOf(fabric.velocities, meters);
    if (show == Show::wetness) values = fabric.wetting.wetness;
    if (show == Show::strain && start) values = strainsOf(fabric.positions, start->positions, edgesOf(fabric));
    if (values.size() != fabric.positions.size()) values.clear();
    return values;
}

ShowScale scaleOf(Show show, std::vector<float> all) {
    if (show == Show::wetness || all.empty()) return {};
    // Robust range: outliers do not set the scale.
    const auto quantile = [&](double fraction) {
        const auto nth = all.begin() + static_cast<std::ptrdiff_t>(fraction * double(all.size() - 1));
        std::nth_element(all.begin(), nth, all.end());
        return *nth;
    };
    float low = show == Show::speed || show == Show::age ? 0 : quantile(0.01), high = quantile(0.99);
    if (show == Show::strain) {
        high = std::max({std::abs(low), std::abs(high), 0.01f});
        low = -high;
    }
    // Rounded to about two significant digits, so that the scale does not change with every frame.
    const auto rounded = [](float value, bool up) {
        if (value == 0) return value;
        const float step = std::pow(10.0f, std::floor(std::log10(std::abs(value))) - 1) * 5;
        return step * (up ? std::ceil(value / step) : std::floor(value / step));
    };
    low = rounded(low, false);
    high = rounded(high, true);
    return {low, high > low ? high : low + 1};
}

}  // namespace

Show showNamed(const std::string& option) {
    std::string known;
    for (size_t i = 0; i < kShows.size(); ++i) {
        if (option == kShows[i].option) return static_cast<Show>(i);
        known += std::string(i == 0 ? "" : i + 1 < kShows.size() ? ", " : " or ") + kShows[i].option;
    }
    throw Error("show \"" + option + "\": expected " + known);
}

Tinted::Tinted(const Frame& frame, const Frame* start, Show show, const std::optional<ShowScale>& scale)
    : frame_(frame) {
    const double meters = frame_.metersPerUnit;
    std::vector<float> points = valuesOf(frame_, show);
    if (points.size() != frame_.points.count()) points.clear();
    std::vector<std::vector<float>> meshes(frame_.meshes.size()), yarns(frame_.curves.size());
    for (size_t m = 0; m < meshes.size(); ++m) {
        const Mesh& mesh = frame_.meshes[m];
        if (mesh.kind == MeshKind::liquid || mesh.kind == MeshKind::solid) continue;
        meshes[m] = valuesOf(mesh, start && m < start->meshes.size() ? &start->meshes[m] : nullptr, show, meters);
    }
    for (size_t c = 0; c < yarns.size(); ++c)
        yarns[c] =
            valuesOf(frame_.curves[c], start && c < start->curves.size() ? &start->curves[c] : nullptr, show, meters);
    std::vector<float> all = points;
    for (const auto& each : meshes) all.insert(all.end(), each.begin(), each.end());
    for (const auto& each : yarns) all.insert(all.end(), each.begin(), each.end());
    any_ = !all.empty();
    scale_ = scale ? *scale : scaleOf(show, std::move(all));

    const auto ramp = [&](const std::vector<float>& values) { return rampColors(values, scale_.low, scale_.high); };
    constexpr Vec3 kGrey{0.18f, 0.18f, 0.19f};
    colors_ = points.empty() ? std::vector<Vec3>(frame_.points.count(), kGrey) : ramp(points);
    for (size_t m = 0; m < meshes.size(); ++m)
        if (!meshes[m].empty()) frame_.meshes[m].colors = ramp(meshes[m]);
    for (size_t c = 0; c < yarns.size(); ++c)
        if (!yarns[c].empty()) frame_.curves[c].pointColors = ramp(yarns[c]);
}

}  // namespace purl
