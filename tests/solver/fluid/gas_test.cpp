// Gas rises, and stays in its container.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/solver/fluidRuns.h"

namespace purl {
namespace {

using namespace test;

// K-66
TEST(Steam, risesAndStaysInItsSphere) {
    Scene scene = sceneOf("steam");
    const float s = spacingOf(scene);
    Collider sphere = smoothCollider("sphere");
    sphere.params.shape = ColliderShape::sphere;
    sphere.params.container = true;
    sphere.params.radius = 1.1f;
    scene.colliders.push_back(sphere);
    double start = 0, last = -10, farthest = 0;
    bool rises = true;
    playFrom(scene, lattice(12, 13, 13, s, {-6 * s, -6.5f * s, -0.9f}), 20, [&](const Frame& frame) {
        const bool whole = std::fabs(frame.time - std::round(frame.time)) < 1e-6;  // once a second
        if (!whole && frame.time > 0.015) return;
        double height = 0;
        for (const Vec3 x : frame.points.positions) {
            height += x.z / double(frame.points.count());
            farthest = std::max<double>(farthest, length(x));
        }
        if (last == -10) start = height;
        rises = rises && height > last;
        last = height;
    });
    EXPECT_TRUE(rises);
    EXPECT_GT(last, start + 0.5);     // 0.83 m of the 1.1 m that the top of the sphere leaves
    EXPECT_LE(farthest, 1.1 + 1e-6);  // rounding
}

}  // namespace
}  // namespace purl
