#include "solver/soft/soft.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solver/core/error.h"
#include "tests/solver/soft/softBodies.h"

namespace purl {
namespace {

using namespace test;

constexpr float kStep = static_cast<float>(kSoftStep);

// A block scaled by 1.2 about its centre and released: after each step, the distance e of a corner from its rest shape
// and its displacement u in the last step, m.
struct Oscillation {
    std::vector<double> e, u;
};
Oscillation oscillate(float stiffness, SoftMatching matching, int steps, int iterations = 1) {
    SoftBody body = block(4, 0.1f);
    body.params.stiffness = stiffness;
    body.params.matching = matching;
    Scene scene = softScene(body);
    stepsOf(scene, kStep, iterations);
    const Vec3 center{0.2f, 0.2f, 0.2f};
    Simulator simulator(oneThread());
    simulator.restore(deformed(scene, [&](Vec3 p) { return center + 1.2f * (p - center); }), scene);
    Oscillation result;
    for (int n = 0; n <= steps; ++n) {
        if (n) simulator.advanceTo(scene, n * kSoftStep);
        // Relative to the body's centre, which drifts by rounding over a thousand steps.
        result.e.push_back(double(simulator.state().soft.x[0].x) - double(meanOf(simulator.state().soft.x).x) -
                           double(body.points[0].x - center.x));
        result.u.push_back(double(simulator.state().soft.v[0].x) * kSoftStep);
    }
    return result;
}

struct Momentum {
    Vec3 linear, angular;  // for 1 kg per point
};
Momentum momentumOf(const SoftPoints& soft) {
    Momentum sum;
    const Vec3 center = meanOf(soft.x);
    for (int i = 0; i < soft.count(); ++i) {
        sum.linear += soft.v[i];
        sum.angular += cross(soft.x[i] - center, soft.v[i]);
    }
    return sum;
}

std::string errorOf(const Scene& scene) {
    try {
        Simulator(oneThread()).reset(scene);
    } catch (const Error& error) { return error.what(); }
    return "";
}

}  // namespace

// L-08
TEST(Soft, stiffnessDoesNotDependOnIterations) {
    EXPECT_NEAR(softShare(0.1, kSoftStep, 3), 0.0345106, 1e-7);  // 1 - 0.9^(1/3), all digits given
    const double start = oscillate(0.5f, SoftMatching::projection, 0).e[0];
    for (const int iterations : {1, 3, 10})  // rounding of positions of 0.2 m, of 0.03
        EXPECT_NEAR(oscillate(0.5f, SoftMatching::projection, 1, iterations).e[1], 0.5 * start,
                    1e-5 * std::fabs(start));
}

// Nor, for oscillations, on the step: a quarter of the step with four times as many.
TEST(Soft, stiffnessDoesNotDependOnSteps) {
    // The share grows with the square of the step; 0.005 off, where the step is not yet short.
    EXPECT_NEAR(softShare(0.3, kSoftStep / 16) / softShare(0.3, kSoftStep / 32), 4, 0.01);
    EXPECT_EQ(softShare(1, 1e-5), 1);
    EXPECT_EQ(softShare(0, 1), 0);
    EXPECT_NEAR(softShare(0.3, kSoftStep), 0.3, 1e-9);
}

// L-32
TEST(Soft, oneStepRecoversTheStiffnessFraction) {
    for (const float stiffness : {0.0f, 0.25f, 0.5f, 1.0f}) {
        const Oscillation one = oscillate(stiffness, SoftMatching::projection, 1);
        EXPECT_NEAR(one.e[1], (1 - double(stiffness)) * one.e[0], 1e-7);  // m, rounding of positions of 0.2 m
    }
}

// L-33: the area spanned by successive states (e, u) shrinks by 1 − α per step, the amplitude by its square root; with
// velocity matching it is constant.
TEST(Soft, positionMatchingDampsAndVelocityMatchingDoesNot) {
    const auto area = [](const Oscillation& s, size_t n) { return s.e[n] * s.u[n + 1] - s.u[n] * s.e[n + 1]; };
    for (const float stiffness : {0.1f, 0.5f}) {
        const Oscillation projected = oscillate(stiffness, SoftMatching::projection, 12);
        for (size_t n = 1; n < 6; ++n)
            EXPECT_NEAR(std::sqrt(area(projected, n + 1) / area(projected, n)), std::sqrt(1 - double(stiffness)),
                        1e-4);  // rounding
    }
    for (const float stiffness : {0.1f, 0.5f, 1.0f}) {
        const Oscillation accelerated = oscillate(stiffness, SoftMatching::velocity, 1000);
        // The amplitude is the square root of the area; 8e-4 is rounding of positions over a thousand steps.
        EXPECT_NEAR(std::sqrt(area(accelerated, 998) / area(accelerated, 1)), 1, 1e-3);
    }
}

// L-33
TEST(Soft, scrambledBodyIsStableAtAnyStep) {
    for (const SoftMatching matching : {SoftMatching::projection, SoftMatching::velocity})
        for (const SoftGoal goal : {SoftGoal::linear, SoftGoal::quadratic})
            for (const float stiffness : {0.1f, 0.5f, 1.0f})
                for (const float dt : {1.0f / 240, 1.0f / 60, 1.0f / 10, 1.0f}) {
                    SoftBody body = block(4, 0.1f);
                    body.params.stiffness = stiffness;
                    body.params.matching = matching;
                    body.params.goal = goal;
                    body.params.beta = goal == SoftGoal::quadratic ? 0.7f : 0;
                    body.params.clusterSize = 0.2f;
                    Scene scene = softScene(body);
                    stepsOf(scene, dt);
                    uint64_t seed = 0;
                    Simulator simulator(oneThread());
                    simulator.restore(deformed(scene, [&](Vec3) { return randomPoint(3, seed++); }), scene);
                    for (int n = 1; n <= 100; ++n) simulator.advanceTo(scene, n * double(dt));
                    for (const Vec3 x : simulator.state().soft.x)
                        ASSERT_LT(length(x), 10);  // m, of a body of 0.4 m; unstable ones leave it in ten steps
                }
}

// L-34. For two seconds. Points move straight before the shape pulls them back: a fraction ½ ω² Δt of the spin is lost
// per second, here 0.2 %.
TEST(Soft, spinningBlockConservesMomentum) {
    for (const float clusterSize : {0.0f, 0.2f}) {
        SoftBody body = block(4, 0.1f, {-0.2f, -0.2f, -0.2f});
        body.params.stiffness = 1;
        body.params.clusterSize = clusterSize;
        Scene scene = softScene(body);
        stepsOf(scene, 0.001f);
        State state = deformed(scene, [](Vec3 p) { return p; });
        const Vec3 spin{0.5f, 2, 0.3f};
        for (int i = 0; i < state.soft.count(); ++i) state.soft.v[i] = Vec3{1, 0, 0} + cross(spin, state.soft.x[i]);
        const Momentum before = momentumOf(state.soft);
        Simulator simulator(oneThread());
        simulator.restore(state, scene);
        playTo(simulator, scene, 2);
        const Momentum after = momentumOf(simulator.state().soft);
        // Two thousand steps with rounding of 6e-8 m at a metre, a thousand times that in velocity.
        EXPECT_LT(length(after.linear - before.linear), 5e-3f * length(before.linear));
        EXPECT_LT(length(after.angular - before.angular), 0.01f * length(before.angular));
    }
}

// L-35 L-36 L-86. The block of the paper: 36 points in the plane, two radii apart, falls, lands and stays in the plane.
TEST(Soft, planarBlockStaysInItsPlane) {
    const float radius = 0.03f;
    std::vector<Vec3> points;
    for (const Vec3 p : lattice(6, 6, 1, 2 * radius)) points.push_back({p.x, p.y + 0.5f, 0});
    Scene scene = softScene(cloudOf(points, 2 * radius), 9.81f);
    scene.solver.dimensions = 2;
    scene.softBodies[0].params.stiffness = 0.95f;
    scene.colliders.push_back(floorAt(0));
    Simulator simulator(oneThread());
    simulator.reset(scene);
    ASSERT_EQ(simulator.state().soft.count(), 36);
    for (const Vec3 v : simulator.state().soft.v) EXPECT_EQ(v, (Vec3{}));
    playTo(simulator, scene, 2);
    for (const Vec3 x : simulator.state().soft.x) {
        EXPECT_EQ(x.z, 0);
        // Spheres of that radius rest on the floor, in rows.
        EXPECT_GT(x.y, radius - 1e-5f);
    }
    // Six rows on each other, sagging by 0.04 radii; with a row through the floor it would be a radius lower.
    EXPECT_NEAR(meanOf(simulator.state().soft.x).y, 6 * radius, 0.3f * radius);
}

// Resting contact without drift.
TEST(Soft, restsOnTheFloor) {
    SoftBody body = bodyOf(boxMesh({-0.2f, 0.1f, -0.2f}, {0.2f, 0.5f, 0.2f}));
    body.params.stiffness = 0.95f;
    Scene scene = softScene(body, 9.81f);
    scene.colliders.push_back(floorAt(0));
    Simulator simulator(oneThread());
    playTo(simulator, scene, 2);
    const Vec3 before = meanOf(simulator.state().soft.x);
    playTo(simulator, scene, 4);
    const Vec3 after = meanOf(simulator.state().soft.x);
    EXPECT_LT(length(after - before), 1e-6f);  // rounding
    EXPECT_NEAR(after.y, 0.2f, 0.005f);        // half of its edge, less 1.3 mm that it sags by its weight
    for (const Vec3 x : simulator.state().soft.x) EXPECT_GT(x.y, -1e-5f);  // rounding
}

// L-88. A stiff block on a slope of 20° holds at μ = 0.5 and slides at 0.2, with g (sin θ − μ cos θ).
TEST(Soft, frictionHoldsOnASlopeUpToItsAngle) {
    const float angle = 0.349066f;
    const auto slid = [&](float friction) {
        SoftBody body = block(4, 0.1f, {-0.2f, 0, -0.2f});
        body.params.stiffness = 1;
        body.params.friction = friction;
        Scene scene = softScene(body, 9.81f);
        scene.colliders.push_back(floorAt(0, 0));
        scene.solver.gravityDirection = {std::sin(angle), -std::cos(angle), 0};
        Simulator simulator(oneThread());
        playTo(simulator, scene, 1);
        return meanOf(simulator.state().soft.x).x;
    };
    EXPECT_LT(slid(0.5f), 0.002f);  // m, of 1.7 without friction; 0.4 mm while it settles
    const float expected = 0.5f * 9.81f * (std::sin(angle) - 0.2f * std::cos(angle));
    EXPECT_NEAR(slid(0.2f), expected, 0.02f * expected);  // 0.4 %: half a step too far
}

// A falling body rests on every kind of collider.
TEST(Soft, landsOnEveryKindOfCollider) {
    for (const ColliderShape shape : {ColliderShape::sphere, ColliderShape::box, ColliderShape::capsule,
                                      ColliderShape::plane, ColliderShape::mesh}) {
        SoftBody body = bodyOf(sphereMesh({0, 0.9f, 0}, 0.2f, 2));
        body.params.stiffness = 0.95f;
        body.params.damping = 3;
        Scene scene = softScene(body, 9.81f);
        Collider collider = floorAt(0);
        collider.params.shape = shape;
        collider.params.radius = 0.5f;
        collider.params.halfLength = 0.1f;
        collider.params.halfSize = {1, 0.5f, 1};
        collider.mesh = boxMesh({-1, -0.5f, -1}, {1, 0.5f, 1});
        const float top = shape == ColliderShape::plane ? 0 : shape == ColliderShape::capsule ? 0.6f : 0.5f;
        scene.colliders.push_back(collider);
        Simulator simulator(oneThread());
        playTo(simulator, scene, 1.5);
        // Its radius above the top, less 0.03 m: where it rests on a sphere it is pressed in.
        EXPECT_NEAR(meanOf(simulator.state().soft.x).y, top + 0.2f, 0.05f) << static_cast<int>(shape);
    }
}

// L-57. Two blocks collide head-on from various directions: they end up separated and intact.
TEST(Soft, collidingBodiesSeparate) {
    for (uint64_t seed = 0; seed < 10; ++seed) {
        Scene scene = softScene(block(4, 0.1f, {-0.8f, 0, 0}, "left"));
        const Vec3 off = 0.15f * randomPoint(seed, 1);
        scene.softBodies.push_back(block(4, 0.1f, Vec3{0.4f, 0, 0} + Vec3{0, off.y, off.z}, "right"));
        scene.softBodies[0].params.startVelocity = {2, 0, 0};
        scene.softBodies[1].params.startVelocity = {-2, 0, 0};
        Simulator simulator(oneThread());
        playTo(simulator, scene, 2);
        const SoftPoints& soft = simulator.state().soft;
        float nearest = 1;
        for (int i = 0; i < 64; ++i)
            for (int j = 64; j < 128; ++j) nearest = std::min(nearest, length(soft.x[i] - soft.x[j]));
        EXPECT_GT(nearest, 0.08f);  // points keep a spacing of 0.1; the last iteration leaves a fifth
        Vec3 momentum;
        for (const Vec3 v : soft.v) momentum += v;
        EXPECT_LT(length(momentum), 1e-3f * 128 * 2);
        const Vec3 left = meanOf(soft.x, 0, 64), right = meanOf(soft.x, 64, 64);
        EXPECT_GT(length(left - right), 0.3f);
    }
}

// L-09. Contacts of three bodies pressed together are found again in each iteration: more iterations leave less
// overlap.
TEST(Soft, contactsAreFoundInEachIteration) {
    const auto nearest = [](int iterations) {
        Scene scene;
        scene.solver.gravity = 0;
        for (int b = 0; b < 3; ++b) {
            scene.softBodies.push_back(block(3, 0.1f, {0.35f * float(b), 0, 0}, "body" + std::to_string(b)));
            scene.softBodies.back().params.startVelocity = {4 * float(1 - b), 0, 0};
            scene.softBodies.back().params.stiffness = 0.9f;
        }
        stepsOf(scene, 1.0f / 60, iterations);
        Simulator simulator(oneThread());
        float least = 1;
        for (int n = 1; n <= 10; ++n) {
            simulator.advanceTo(scene, n / 60.0);
            const SoftPoints& soft = simulator.state().soft;
            for (int i = 0; i < 81; ++i)
                for (int j = i + 1; j < 81; ++j)
                    if (i / 27 != j / 27) least = std::min(least, length(soft.x[i] - soft.x[j]));
        }
        return least;
    };
    EXPECT_GT(nearest(8), 3 * nearest(1));  // 0.1 m, the spacing, and 0.015 m
}

// L-44
TEST(Soft, candidatesGrowLinearlyWithBodies) {
    const auto pairs = [](int bodies) {
        Scene scene;
        for (int b = 0; b < bodies; ++b)
            scene.softBodies.push_back(block(3, 0.1f, {0.29f * float(b), 0, 0}, std::to_string(b)));
        State state;
        beginSoftFrame(state, scene);
        SoftBodies soft(Device::cpu(1));
        soft.set(scene, state);
        Buffer<Vec3> acceleration(Device::cpu(1), state.soft.count());
        const StepColliders colliders(scene);
        soft.move(state, scene, {0.004f, {}, &colliders, &colliders.ofScene}, acceleration);
        return soft.candidatePairs();
    };
    EXPECT_GT(pairs(20), 0);
    // 39 gaps between neighbours instead of 19: 2.05. All pairs of bodies would give 4.
    EXPECT_LE(double(pairs(40)), 2.2 * double(pairs(20)));
}

// A body squeezed beyond its yield strain stays deformed; below it, or without plasticity, it springs back.
TEST(Soft, clayKeepsItsDeformation) {
    const auto heightAfter = [](float yield, float squeeze) {
        SoftBody body = block(5, 0.1f);
        body.params.stiffness = 1;
        body.params.yieldStrain = yield;
        body.params.creep = 50;
        Scene scene = softScene(body);
        Simulator simulator(oneThread());
        simulator.restore(deformed(scene, [&](Vec3 p) { return Vec3{p.x, squeeze * p.y, p.z}; }), scene);
        playTo(simulator, scene, 2);
        Bounds box;
        for (const Vec3 x : simulator.state().soft.x) box.include(x);
        return box.size().y / 0.4f;
    };
    EXPECT_NEAR(heightAfter(0, 0.6f), 1, 1e-5f);  // elastic: rounding
    EXPECT_NEAR(heightAfter(0.2f, 0.9f), 1, 1e-5f);
    // 0.949: it springs back within a few steps, and flows only as long as its strain is above the yield strain.
    const float clay = heightAfter(0.05f, 0.6f);
    EXPECT_LT(clay, 0.97f);
    EXPECT_GT(clay, 0.6f);  // no flatter than it was squeezed
}

// A beam clamped at one end: as a single cluster it stays straight, with several clusters it bends.
TEST(Soft, clustersBend) {
    const auto sag = [](float clusterSize) {
        SoftBody body = cloudOf(lattice(20, 3, 3, 0.05f), 0.05f);
        body.params.clusterSize = clusterSize;
        body.params.stiffness = 0.8f;
        for (const Vec3 p : body.points) body.pins.push_back(p.x < 0.06f ? 1.0f : 0.0f);
        Scene scene = softScene(body, 9.81f);
        Simulator simulator(oneThread());
        playTo(simulator, scene, 1.5);
        float end = 1;
        const SoftPoints& soft = simulator.state().soft;
        for (int i = 0; i < soft.count(); ++i) {
            end = std::min(end, soft.x[i].y);
            if (body.pins[i] < 1) continue;
            EXPECT_EQ(soft.x[i], body.points[i]);
        }
        return body.points[0].y - end;
    };
    EXPECT_GT(sag(0.2f), 10 * sag(0));  // 0.28 m, and 0.008 m of one that can only shear
}

// L-77. Added during the simulation, it stays with its mesh while frozen, and falls when released.
TEST(Soft, addedFrozenAndReleased) {
    Scene scene = softScene(block(3, 0.1f, {}, "first"), 9.81f);
    Simulator simulator(oneThread());
    playTo(simulator, scene, 0.25);
    SoftBody second = bodyOf(boxMesh({1, 1, 1}, {1.3f, 1.3f, 1.3f}), "second");
    second.params.freeze = true;
    scene.softBodies.push_back(second);
    playTo(simulator, scene, 0.5);
    const SoftRange range = softRange(simulator.state(), scene, 1);
    EXPECT_EQ(range.first, 27);
    EXPECT_GT(range.points, range.vertices + 100);
    for (int i = 0; i < range.points; ++i)
        EXPECT_LT(length(simulator.state().soft.x[27 + i] - simulator.state().soft.rest[27 + i]), 1e-5f);
    EXPECT_LT(meanOf(simulator.state().soft.x, 0, 27).y, -0.5f);  // the first falls: g t²/2 is 1.2 m
    // While frozen it follows its mesh, inner points included.
    for (Vec3& p : scene.softBodies[1].points) p += Vec3{0, 0, 0.1f};
    simulator.advanceTo(scene, 0.6);
    for (int i = 0; i < range.points; ++i)
        EXPECT_LT(length(simulator.state().soft.x[27 + i] - simulator.state().soft.rest[27 + i] - Vec3{0, 0, 0.1f}),
                  1e-5f);  // rounding
    simulator.advanceTo(scene, 0.7);
    const float before = meanOf(simulator.state().soft.x, 27, range.points).y;
    scene.softBodies[1].params.freeze = false;
    simulator.advanceTo(scene, 0.9);
    EXPECT_NEAR(before - meanOf(simulator.state().soft.x, 27, range.points).y, 0.5f * 9.81f * 0.04f,
                0.01f);  // half a step of falling, 4 mm
    ASSERT_EQ(simulator.frame().meshes.size(), 2u);
    EXPECT_EQ(simulator.frame().meshes[1].kind, MeshKind::softBody);
    EXPECT_EQ(simulator.frame().meshes[1].positions.size(), 8u);
    EXPECT_EQ(simulator.frame().meshes[1].velocities.size(), 8u);
}

// L-78
TEST(Soft, dragsTheNearestPointWithinReach) {
    const auto drag = [](Vec3 from, bool& picked) {
        SoftBody body = block(4, 0.1f);
        body.params.drag = true;
        body.params.dragRadius = 0.1f;
        body.dragTo = from;
        Scene scene = softScene(body, 9.81f);
        Simulator simulator(oneThread());
        simulator.reset(scene);
        for (int frame = 1; frame <= 48; ++frame) {
            scene.softBodies[0].dragTo = from + Vec3{float(frame) / 48, 0, 0};
            simulator.advanceTo(scene, frame / 24.0);
        }
        picked = simulator.state().soft.held[0] >= 0;
        const Vec3 position = meanOf(simulator.state().soft.x);
        if (picked) { EXPECT_EQ(simulator.state().soft.x[simulator.state().soft.held[0]], scene.softBodies[0].dragTo); }
        scene.softBodies[0].params.drag = false;
        simulator.advanceTo(scene, 2.5);
        EXPECT_EQ(simulator.state().soft.held[0], -1);
        EXPECT_LT(meanOf(simulator.state().soft.x).y, position.y - 0.3f);
        return position;
    };
    bool picked = false;
    // Half a body's size, 0.2 m, because it hangs below the point: 0.18.
    EXPECT_LT(length(drag({0.4f, 0.4f, 0.4f}, picked) - Vec3{1.4f, 0.2f, 0.4f}), 0.2f);
    EXPECT_TRUE(picked);
    EXPECT_LT(drag({0.6f, 0.6f, 0.6f}, picked).y, -10);
    EXPECT_FALSE(picked);
}

// L-58, and a restored state continues unchanged.
TEST(Soft, sameBitsForAnyThreadCountAndAfterResuming) {
    Scene scene = softScene(bodyOf(sphereMesh({0, 0.5f, 0}, 0.2f, 3), "ball"), 9.81f);
    scene.softBodies.push_back(bodyOf(sphereMesh({0.05f, 1, 0}, 0.2f, 3), "other"));
    scene.softBodies[0].params.clusterSize = 0.15f;
    scene.softBodies[0].params.yieldStrain = 0.02f;
    scene.softBodies[1].params.goal = SoftGoal::quadratic;
    scene.softBodies[1].params.beta = 0.5f;
    scene.colliders.push_back(floorAt(0));
    const auto hashOf = [&](int threads, bool saved) {
        Simulator simulator(Device::cpu(threads));
        playTo(simulator, scene, 0.25);
        if (saved) {
            const std::string path = testing::TempDir() + "soft.purl";
            saveState(simulator.state(), path);
            Simulator again(Device::cpu(threads));
            again.restore(loadState(path), scene);
            return playTo(again, scene, 0.5).stateHash;
        }
        return playTo(simulator, scene, 0.5).stateHash;
    };
    const uint64_t one = hashOf(1, false);
    for (const int threads : {2, 6, 24}) EXPECT_EQ(hashOf(threads, false), one);
    EXPECT_EQ(hashOf(2, true), one);
}

// L-80. The simulation continues after any parameter edit.
TEST(Soft, everyParameterIsLive) {
    SoftBody body = block(4, 0.1f);
    Scene scene = softScene(body, 9.81f);
    scene.colliders.push_back(floorAt(-0.1f));
    Simulator simulator(oneThread());
    int frame = 0;
    simulator.advanceTo(scene, ++frame / 24.0);
    int edits = 0;
    describe(
        [&](auto& field, const About& about) {
            using Field = std::remove_reference_t<decltype(field)>;
            if constexpr (std::is_same_v<Field, bool>)
                field = !field;
            else if constexpr (std::is_enum_v<Field>)
                field = static_cast<Field>(1);
            else if constexpr (std::is_same_v<Field, float>)
                field = std::string(about.name) == "clusterSize" ? 0.2f : 0.5f * field + 0.1f;
            ++edits;
            simulator.advanceTo(scene, ++frame / 24.0);
        },
        scene.softBodies[0].params);
    EXPECT_GT(edits, 20);
}

TEST(Soft, presetsDifferAndHaveNames) {
    SoftBodyParams own;
    own.clusterSize = 3;
    EXPECT_LT(softMaterials().with("jelly", own).stiffness, softMaterials().with("rubber", own).stiffness);
    EXPECT_GT(softMaterials().with("clay", own).yieldStrain, 0);
    EXPECT_EQ(softMaterials().with("jelly", own).clusterSize, 3);
    EXPECT_THROW(softMaterials().with("lava", own), Error);
}

TEST(Soft, badInputGivesAnErrorNamingTheBody) {
    Scene scene = softScene(SoftBody{});
    scene.softBodies[0].name = "pudding";
    EXPECT_NE(errorOf(scene).find("pudding: has no points"), std::string::npos);
    scene.softBodies[0].points = {{0, 0, 0}, {1, 0, 0}};
    EXPECT_NE(errorOf(scene).find("pudding: a point cloud needs a spacing above 0"), std::string::npos);
    scene.softBodies[0].params.spacing = 0.1f;
    EXPECT_EQ(errorOf(scene), "");
    scene.softBodies[0].pins = {1};
    EXPECT_NE(errorOf(scene).find("pudding: pins has 1 values for 2 points"), std::string::npos);
    scene.softBodies[0].pins.clear();
    scene.softBodies[0].params.stiffness = 1.5f;
    EXPECT_NE(errorOf(scene).find("pudding"), std::string::npos);
    scene.softBodies[0].params.stiffness = 0.5f;
    scene.softBodies[0].points[1].x = NAN;
    EXPECT_NE(errorOf(scene).find("not finite"), std::string::npos);
    scene = softScene(bodyOf(boxMesh({}, {1, 1, 1}), "pudding"));
    scene.softBodies[0].params.spacing = 1e-4f;
    EXPECT_NE(errorOf(scene).find("pudding: "), std::string::npos);
    EXPECT_NE(errorOf(scene).find("use a larger spacing"), std::string::npos);

    scene = softScene(block(2, 0.1f));
    Simulator simulator(oneThread());
    simulator.advanceTo(scene, 0.1);
    scene.softBodies[0].points.pop_back();
    EXPECT_THROW(simulator.advanceTo(scene, 0.2), Error);
    scene.softBodies.clear();
    EXPECT_THROW(simulator.advanceTo(scene, 0.2), Error);
    EXPECT_THROW(simulator.restore(State(simulator.state()), scene), Error);
}

// All points coincident, or two points, or one: nothing to match, no failure.
TEST(Soft, degenerateBodiesAreStable) {
    for (const std::vector<Vec3>& points : {std::vector<Vec3>{{0, 1, 0}}, std::vector<Vec3>{{0, 1, 0}, {0, 1, 0}},
                                            std::vector<Vec3>{{0, 1, 0}, {0.1f, 1, 0}}}) {
        Scene scene = softScene(cloudOf(points, 0.1f), 9.81f);
        scene.softBodies[0].params.beta = 0.5f;
        scene.softBodies[0].params.goal = SoftGoal::quadratic;
        scene.colliders.push_back(floorAt(0));
        Simulator simulator(oneThread());
        playTo(simulator, scene, 1);
        for (const Vec3 x : simulator.state().soft.x) EXPECT_NEAR(x.y, 0.05f, 1e-4f);
    }
}

}  // namespace purl
