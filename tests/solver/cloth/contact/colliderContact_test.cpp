#include "solver/cloth/contact/colliderContact.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/solver/cloth/cloths.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using test::oneThread;

Vec3 middleOf(const Buffer<Vec3>& x) {
    Vec3 sum;
    for (const Vec3& p : x) sum += p;
    return sum / static_cast<float>(x.size());
}

// A cloth on a slope, in the frame of the slope: gravity is inclined.
Scene onSlope(float angle, float friction, SelfCollision mode = SelfCollision::none) {
    Cloth cloth = test::levelCloth(6, 0.2f, {0, 0.002f, 0});
    test::inVacuum(cloth);
    cloth.params.friction = friction;
    cloth.params.selfCollision = mode;
    Scene scene = test::sceneOf(cloth);
    Collider floor;
    floor.name = "floor";
    floor.params.shape = ColliderShape::plane;
    floor.params.friction = 0;  // the cloth's friction counts
    scene.colliders.push_back(floor);
    scene.solver.gravityDirection = {std::sin(angle), -std::cos(angle), 0};
    return scene;
}

// B-46, G-23. Half a degree to either side of atan μ: below it rests, above it accelerates by g (sin θ − μ cos θ).
TEST(ColliderContact, slidesOnlyOnSlopesSteeperThanAtanMu) {
    for (const float mu : {0.2f, 0.5f, 1.0f}) {
        const float limit = std::atan(mu), half = 0.0087f;
        Simulator below(oneThread()), above(oneThread());
        test::play(below, onSlope(limit - half, mu), 1);
        EXPECT_LT(std::fabs(middleOf(below.state().cloth.x).x), 1e-6f) << mu;  // m: rounding
        EXPECT_LT(length(middleOf(below.state().cloth.v)), 1e-6f) << mu;
        test::play(above, onSlope(limit + half, mu), 1);
        const float gained = 9.81f * (std::sin(limit + half) - mu * std::cos(limit + half));
        EXPECT_NEAR(middleOf(above.state().cloth.v).x, gained, 0.01f * gained) << mu;  // 0.3 %
    }
}

// Five seconds at rest just below the friction angle, in every self-collision mode.
TEST(ColliderContact, restsWithoutDrift) {
    for (const SelfCollision mode : {SelfCollision::none, SelfCollision::points, SelfCollision::robust}) {
        const Scene scene = onSlope(0.4f, 0.5f, mode);
        Simulator simulator(oneThread());
        test::play(simulator, scene, 0.25);
        const Buffer<Vec3> settled = simulator.state().cloth.x;
        test::play(simulator, scene, 5.25);
        for (int i = 0; i < settled.size(); ++i)
            // A thousandth of an edge.
            EXPECT_LT(length(simulator.state().cloth.x[i] - settled[i]), 4e-5f);
    }
}

}  // namespace
}  // namespace purl
