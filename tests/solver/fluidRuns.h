// Runs of one fluid from given particles, z up, and measures of its frames.
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "tests/solver/testScenes.h"

namespace purl::test {

inline float spacingOf(const Scene& scene) { return scene.fluids[0].params.particleSpacing; }

inline Collider capsuleAlongZ(Vec3 center, float halfLength, float radius) {
    Collider capsule = smoothCollider("capsule");
    capsule.params.shape = ColliderShape::capsule;
    capsule.params.container = true;
    capsule.params.halfLength = halfLength;
    capsule.params.radius = radius;
    capsule.pose.position = center;
    capsule.pose.axes = {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}};  // its y axis is the world's z
    return capsule;
}

// Starts particles at `points` and calls visit(frame) after every hundredth of a second.
inline Simulator playFrom(const Scene& scene, const std::vector<Vec3>& points, double until,
                          const std::function<void(const Frame&)>& visit = {}) {
    Simulator simulator(oneThread());
    simulator.restore(stateOf(points), scene);
    const int calls = static_cast<int>(until * 100 + 0.5);
    for (int i = 1; i <= calls; ++i) {
        const Frame& frame = simulator.advanceTo(scene, 0.01 * i);
        if (visit) visit(frame);
    }
    return simulator;
}

// The coordinate below which this share of the particles lies.
inline float percentile(const Frame& frame, int axis, double share) {
    std::vector<float> values;
    for (const Vec3 x : frame.points.positions) values.push_back(x[axis]);
    const auto nth = values.begin() + static_cast<std::ptrdiff_t>(share * double(values.size() - 1));
    std::nth_element(values.begin(), nth, values.end());
    return *nth;
}

// Σ m/ρ, m³.
inline double summedVolume(const Frame& frame, double mass) {
    double volume = 0;
    for (const float density : frame.points.densities) volume += mass / double(density);
    return volume;
}

}  // namespace purl::test
