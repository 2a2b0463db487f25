#include "render/gasSplats.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace purl {
namespace {

constexpr int kMaxCells = 64;              // shadow-grid cells along its longest side
constexpr float kRadiusInSpacings = 1.7f;  // splat radius in spacings, wide enough that neighbours blend smoothly
constexpr float kMaxStretch = 2.0f;        // maximum enlargement of a splat where the gas is thin

// Approximates multiple scattering by octaves of decreasing extinction (Wrenninge et al. 2013).
float scatteredTransmittance(float opticalDepth) {
    return (std::exp(-opticalDepth) + 0.5f * std::exp(-0.35f * opticalDepth) +
            0.25f * std::exp(-0.12f * opticalDepth)) /
           1.75f;
}

float component(Vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

}  // namespace

// Deposits the gas on a grid and sweeps it plane by plane along the light's dominant axis: a cell's optical depth is
// that of the point one step towards the light, interpolated in the previous plane, plus the gas in between.
GasShadow::GasShadow(const Points& points, float restVolume, float cell, float extinction, Vec3 toLight) {
    Bounds box;
    for (const Vec3 p : points.positions)
        if (isFinite(p)) box.include(p);
    if (box.empty()) return;
    const Vec3 extent = box.size();
    const float longest = std::max({extent.x, extent.y, extent.z});
    cell_ = std::max(cell, longest / (kMaxCells - 4));
    low_ = box.low - Vec3{2 * cell_, 2 * cell_, 2 * cell_};
    for (int a = 0; a < 3; ++a) size_[a] = static_cast<int>(std::ceil(component(extent, a) / cell_)) + 4;
    const auto index = [&](int x, int y, int z) {
        return (static_cast<size_t>(z) * size_t(size_[1]) + size_t(y)) * size_t(size_[0]) + size_t(x);
    };
    std::vector<float> gas(size_t(size_[0]) * size_t(size_[1]) * size_t(size_[2]), 0.0f);
    const float weight = restVolume / (cell_ * cell_ * cell_);
    for (const Vec3 p : points.positions) {
        if (!isFinite(p)) continue;
        const Vec3 gridPosition = (p - low_) / cell_ - Vec3{0.5f, 0.5f, 0.5f};
        const int x = static_cast<int>(gridPosition.x), y = static_cast<int>(gridPosition.y),
                  z = static_cast<int>(gridPosition.z);
        const float fx = gridPosition.x - float(x), fy = gridPosition.y - float(y), fz = gridPosition.z - float(z);
        for (int c = 0; c < 8; ++c)
            gas[index(x + (c & 1), y + (c >> 1 & 1), z + (c >> 2))] +=
                weight * (c & 1 ? fx : 1 - fx) * (c & 2 ? fy : 1 - fy) * (c & 4 ? fz : 1 - fz);
    }

    const float extents[3] = {std::abs(toLight.x), std::abs(toLight.y), std::abs(toLight.z)};
    const int axis = extents[0] > extents[1] ? (extents[0] > extents[2] ? 0 : 2) : (extents[1] > extents[2] ? 1 : 2);
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const float mainComponent = component(toLight, axis), step = cell_ / std::abs(mainComponent);
    const int direction = mainComponent > 0 ? 1 : -1;
    const float du = component(toLight, u) / std::abs(mainComponent),
                dv = component(toLight, v) / std::abs(mainComponent);
    depth_.assign(gas.size(), 0.0f);
    const auto cellIndex = [&](int a, int b, int c) {
        int index3[3];
        index3[axis] = a;
        index3[u] = b;
        index3[v] = c;
        return index(index3[0], index3[1], index3[2]);
    };
    for (int n = 1; n < size_[axis]; ++n) {
        const int a = direction > 0 ? size_[axis] - 1 - n : n, previous = a + direction;
        for (int b = 0; b < size_[u]; ++b)
            for (int c = 0; c < size_[v]; ++c) {
                const float pu = float(b) + du, pv = float(c) + dv;
                const int iu = static_cast<int>(std::floor(pu)), iv = static_cast<int>(std::floor(pv));
                float sum = 0;
                for (int k = 0; k < 4; ++k) {
                    const int qu = iu + (k & 1), qv = iv + (k >> 1);
                    if (qu < 0 || qv < 0 || qu >= size_[u] || qv >= size_[v]) continue;
                    const float wu = k & 1 ? pu - float(iu) : 1 - pu + float(iu);
                    const float wv = k & 2 ? pv - float(iv) : 1 - pv + float(iv);
                    const size_t neighbor = cellIndex(previous, qu, qv);
                    sum += wu * wv * (depth_[neighbor] + 0.5f * extinction * step * gas[neighbor]);
                }
                const size_t cell = cellIndex(a, b, c);
                depth_[cell] = sum + 0.5f * extinction * step * gas[cell];
            }
    }
}

float GasShadow::value(int x, int y, int z) const {
    x = std::clamp(x, 0, size_[0] - 1);
    y = std::clamp(y, 0, size_[1] - 1);
    z = std::clamp(z, 0, size_[2] - 1);
    return depth_[(size_t(z) * size_t(size_[1]) + size_t(y)) * size_t(size_[0]) + size_t(x)];
}

float GasShadow::at(Vec3 position) const {
    if (depth_.empty()) return 0;
    const Vec3 p = (position - low_) / cell_ - Vec3{0.5f, 0.5f, 0.5f};
    const int x = static_cast<int>(std::floor(p.x)), y = static_cast<int>(std::floor(p.y)),
              z = static_cast<int>(std::floor(p.z));
    const float fx = p.x - float(x), fy = p.y - float(y), fz = p.z - float(z);
    float sum = 0;
    for (int c = 0; c < 8; ++c)
        sum += value(x + (c & 1), y + (c >> 1 & 1), z + (c >> 2)) * (c & 1 ? fx : 1 - fx) * (c & 2 ? fy : 1 - fy) *
               (c & 4 ? fz : 1 - fz);
    return sum;
}

std::vector<GasVertex> gasSplats(const GasLook& look, const View& view, float viewRadius) {
    const Points& points = *look.points;
    if (points.count() == 0) return {};
    const float spacing = look.spacing > 0 ? look.spacing : 0.02f * viewRadius;
    const float volume = spacing * spacing * spacing;
    const float extinction = 1 / (look.depth > 0 ? look.depth : 0.15f * viewRadius);
    Vec3 key{0, 1, 0};
    for (const Light& light : view.lights)
        if (light.kind == LightKind::directional) {
            key = -normalized(light.direction);
            break;
        }
    const GasShadow keyShadow(points, volume, spacing, extinction, key);
    const GasShadow skyShadow(points, volume, spacing, extinction, {0, 1, 0});

    std::vector<size_t> order(points.count());
    std::iota(order.begin(), order.end(), size_t(0));
    order.erase(std::remove_if(order.begin(), order.end(), [&](size_t i) { return !isFinite(points.positions[i]); }),
                order.end());
    std::vector<float> viewDepth(points.count());
    for (size_t i = 0; i < points.count(); ++i)
        viewDepth[i] = dot(points.positions[i] - view.camera.position, -view.camera.axes.z);
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return viewDepth[a] > viewDepth[b]; });

    constexpr float kSphereRadiusOfUnitCube = 0.6204f;  // radius of the sphere with a unit cube's volume
    const bool ownRadii = points.radii.size() == points.count();
    std::vector<GasVertex> splats;
    splats.reserve(order.size());
    for (const size_t i : order) {
        const Vec3 p = points.positions[i];
        const float stretch =
            ownRadii ? clamp(points.radii[i] / (kSphereRadiusOfUnitCube * spacing), 1.0f, kMaxStretch) : 1.0f;
        GasVertex splat;
        splat.position = p;
        splat.color = points.colors.size() == points.count() ? points.colors[i] : look.color;
        splat.radius = kRadiusInSpacings * spacing * stretch;
        // The profile (1 − r²)² integrates to π R² / 3 over the disc.
        splat.opticalDepth = 3 * extinction * volume / (3.14159265f * splat.radius * splat.radius);
        splat.keyTransmittance = scatteredTransmittance(keyShadow.at(p));
        splat.skyTransmittance = scatteredTransmittance(0.5f * skyShadow.at(p));
        splats.push_back(splat);
    }
    return splats;
}

}  // namespace purl
