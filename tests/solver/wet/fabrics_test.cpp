// Water between fluids and fabrics: uptake, transport, evaporation, and where all of it is.
#include <gtest/gtest.h>

#include <cmath>

#include "solver/wet/fabrics.h"
#include "tests/solver/wet/wetScenes.h"

namespace purl {
namespace {

using namespace test;

// G-59 B-27 B-28 G-30
TEST(WetFabrics, dropInTheMiddleOfASwatchIsTakenUpAndStaysInTheMiddle) {
    const Scene scene = dropOnSwatch(3, 0.16f, 33);
    Simulator simulator;
    const double mass = bookOf(simulator.reset(scene));
    EXPECT_NEAR(mass, 27 * 1000 * std::pow(double(kSpacing), 3), 1e-9);
    double before = 0;
    for (int frame = 1; frame <= 24; ++frame) {
        const Frame& shown = simulator.advanceTo(scene, frame / 24.0);
        EXPECT_NEAR(bookOf(shown), mass, 1e-12 * mass);
        EXPECT_GE(shown.stats.fabricMass + shown.stats.evaporatedMass, before) << "nothing drips: it only grows";
        before = shown.stats.fabricMass + shown.stats.evaporatedMass;
    }
    const Frame& shown = simulator.frame();
    EXPECT_GT(shown.stats.fabricMass, 0.6 * mass);
    // At most a fraction of a particle per position is absorbed but still shown as a particle.
    EXPECT_GT(double(shown.stats.absorbed) / 27, 0.8 * shown.stats.fabricMass / mass);
    EXPECT_EQ(shown.stats.absorbed + static_cast<int64_t>(shown.points.count()), 27);
    const Mesh& swatch = shown.meshes[0];
    ASSERT_EQ(swatch.wetting.wetness.size(), swatch.positions.size());
    double center = 0;
    int inside = 0;
    for (size_t i = 0; i < swatch.positions.size(); ++i) {
        const Vec3 rest = scene.cloths[0].points[i];
        const float out = std::sqrt(rest.x * rest.x + rest.z * rest.z);
        const float s = swatch.wetting.wetness[i];
        EXPECT_GE(s, 0);
        EXPECT_LE(s, 1);
        if (out < 0.02f) center += s, ++inside;
        if (out > 0.075f) {
            EXPECT_LT(s, 0.01f);
            EXPECT_EQ(swatch.wetting.timeSinceWet[i], -1);
        }
        if (s == 0) { EXPECT_EQ(swatch.colors[i], scene.cloths[0].params.color) << "clear water does not stain"; }
    }
    EXPECT_GT(center / inside, 0.3);
}

// B-27 G-30
TEST(WetFabrics, takeUpNoMoreThanTheyHold) {
    Scene scene = dropOnSwatch(6, 0.03f, 13);
    scene.cloths[0].pins.assign(scene.cloths[0].points.size(), 1);
    scene.cloths[0].pores.params.evaporation = 0;
    Simulator simulator;
    const double mass = bookOf(simulator.reset(scene));
    const double most = 0.03 * 0.03 * 0.001 * 0.6 * 1000;
    ASSERT_GT(mass, 5 * most) << "more than enough";
    for (int frame = 1; frame <= 24; ++frame) simulator.advanceTo(scene, frame / 24.0);
    // Full cells have a positive pressure, and water in transit between them slightly exceeds their capacity.
    EXPECT_LE(simulator.frame().stats.fabricMass, 1.02 * most);
    EXPECT_GT(simulator.frame().stats.fabricMass, 0.8 * most);
    EXPECT_NEAR(bookOf(simulator.frame()), mass, 1e-12 * mass);
}

// A towel that hangs into a tray: the water is filled in around it and does not burst out.
TEST(WetFabrics, fluidIsFilledAroundAClothThatHangsInIt) {
    Scene scene = wetTowel();
    scene.solver.pressureSolver = PressureSolver::dfsph;
    scene.cloths[0].pores.params.startWetness = 0;
    const Vec3 low{-0.03f, -0.01f, -0.03f}, high{0.13f, 0.04f, 0.03f};
    scene.fluids[0].volumes.push_back(boxMesh(low, high));
    scene.colliders.push_back(trayOf(low, {high.x, high.y + 0.2f, high.z}));  // higher than the towel's upper edge
    Simulator simulator;
    const Frame& first = simulator.reset(scene);
    EXPECT_GT(first.points.count(), 3000u);
    for (const Vec3 p : first.points.positions)
        if (p.x > 0 && p.x < 0.1f && p.y > 0) { EXPECT_GT(std::fabs(p.z), 0.49f * kSpacing); }
    double fastest = 0;
    for (int frame = 1; frame <= 6; ++frame)
        fastest = std::max(fastest, simulator.advanceTo(scene, frame / 24.0).stats.maxSpeed);
    EXPECT_LT(fastest, 0.7) << "it but settles: √(2 g h) of 2 cm";
    EXPECT_GT(simulator.frame().stats.fabricMass, 0);
}

// A cloth in a pool, lifted out by one edge: while submerged it returns its water to the liquid, and no drop is
// released into it. A single drop inside the liquid used to raise a frame from 10 steps to 317 and throw the pool up at
// 51 m/s.
TEST(WetFabrics, liftingASoakedClothOutOfAPoolLeavesItCalm) {
    constexpr float kCoarse = 0.01f;
    Scene scene;
    scene.fluids.push_back(water());
    scene.fluids[0].params.particleSpacing = kCoarse;
    const Vec3 low{-0.08f, 0, -0.06f}, high{0.08f, 0.06f, 0.06f};
    scene.fluids[0].volumes.push_back(boxMesh(low, high));
    scene.colliders.push_back(trayOf(low, {high.x, 0.5f, high.z}));
    Cloth towel = levelCloth(12, 0.08f, {0, 0.03f, 0});
    towel.pores.params.absorption = Absorption::soak;
    towel.pores.params.squeeze = 5;
    pin(towel, [](Vec3 p) { return p.x < -0.0399f; });
    scene.cloths.push_back(towel);
    Simulator simulator(Device::cpu(1));
    const Frame& first = simulator.reset(scene);
    const double mass = bookOf(first);
    EXPECT_LT(first.stats.maxCompression, 1.15) << "filled in a spacing off the cloth";
    for (int frame = 1; frame <= 40; ++frame) {
        if (frame > 8)
            for (Vec3& point : scene.cloths[0].points) point.y += 0.005f;
        const Frame& shown = simulator.advanceTo(scene, frame / 24.0);
        ASSERT_NEAR(bookOf(shown), mass, 1e-9 * mass);
        EXPECT_LT(shown.stats.steps, 25) << frame;
        EXPECT_LT(shown.stats.maxSpeed, 1.2) << frame << ": √(2 g h) of the pool's depth is 1.1";
        EXPECT_LT(shown.stats.maxCompression, 1.2) << frame << ": the cloth does not crush what is around it";
    }
    EXPECT_GT(simulator.frame().stats.fabricMass, 0.5 * 0.08 * 0.08 * 0.001 * 0.6 * 1000) << "it has soaked";
}

TEST(WetFabrics, dryAtTheRateTheySay) {
    Scene scene = wetTowel();
    scene.cloths[0].pores.params.drips = false;
    scene.cloths[0].pores.params.evaporation = 0.01f;
    Simulator simulator;
    simulator.reset(scene);
    const double mass = bookOf(simulator.frame());
    for (int frame = 1; frame <= 24; ++frame) simulator.advanceTo(scene, frame / 24.0);
    // A second over 0.02 m²; the last flow interval may be missing.
    EXPECT_NEAR(simulator.frame().stats.evaporatedMass, 0.01 * 0.02, 0.01 * 0.01 * 0.02);
    EXPECT_NEAR(bookOf(simulator.frame()), mass, 1e-12 * mass);
}

TEST(WetFabrics, carryTheColourOfTheFluidInAndOut) {
    Scene scene = wetTowel();
    scene.fluids[0].params.color = {0.8f, 0.1f, 0.2f};
    scene.fluids[0].params.opacity = 1;
    Fluid other = water("other");
    other.params.color = {0, 0, 1};
    scene.fluids.push_back(other);
    Simulator simulator;
    simulator.reset(scene);
    for (int frame = 1; frame <= 36; ++frame) simulator.advanceTo(scene, frame / 24.0);
    const Frame& shown = simulator.frame();
    ASSERT_GT(shown.points.count(), 0u);
    for (size_t i = 0; i < shown.points.count(); ++i) {
        EXPECT_EQ(shown.points.bodies[i], 0) << "it drips the fluid that it absorbed";
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(shown.points.colors[i][k], scene.fluids[0].params.color[k], 1e-5f);
    }
    const Mesh& towel = shown.meshes[0];
    EXPECT_NEAR(towel.wetting.dye[5].x, 0.8f, 1e-5f);
    // Full of an opaque fluid it has that fluid's colour, darkened.
    EXPECT_NEAR(towel.colors[5].x, 0.6f * 0.8f, 0.03f);
}

// A complete run: an emitter adds fluid; the fabric absorbs, dries and drips; a kill volume removes what falls.
TEST(WetFabrics, aWholeRunKeepsItsBooks) {
    Scene scene = wetTowel();
    scene.cloths[0].pores.params.evaporation = 0.05f;
    scene.cloths[0].pores.params.startWetness = 0.9f;
    Emitter tap;
    tap.name = "tap";
    tap.params.radius = 0.02f;
    tap.params.rate = 0.05f;
    tap.params.speed = 0.5f;
    tap.params.endTime = 0.5f;
    tap.pose.position = {0.05f, 0.23f, 0};
    tap.pose.axes.y = {0, -1, 0};
    tap.pose.axes.x = {-1, 0, 0};
    scene.fluids[0].emitters.push_back(tap);
    Collider drain;
    drain.name = "drain";
    drain.params.shape = ColliderShape::plane;
    drain.params.effect = ColliderEffect::kill;
    drain.pose.position = {0, -0.1f, 0};
    scene.colliders.push_back(drain);
    Simulator simulator;
    const double mass = bookOf(simulator.reset(scene));
    for (int frame = 1; frame <= 36; ++frame) {
        const Frame& shown = simulator.advanceTo(scene, frame / 24.0);
        ASSERT_NEAR(bookOf(shown), mass, 1e-6 * (mass + shown.stats.suppliedMass)) << "frame " << frame;
    }
    const FrameStats& stats = simulator.frame().stats;
    EXPECT_GT(stats.suppliedMass, mass);
    EXPECT_GT(stats.fabricMass, 0);
    EXPECT_GT(stats.dripped, 0);
    EXPECT_GT(stats.evaporatedMass, 0);
    EXPECT_GT(stats.drainedMass, 0);
}

TEST(WetFabrics, sameBitsForAnyNumberOfThreads) {
    const Scene scene = dropOnSwatch(3, 0.1f, 21);
    uint64_t hash = 0;
    for (const int threads : {1, 3}) {
        Simulator simulator(Device::cpu(threads));
        simulator.reset(scene);
        for (int frame = 1; frame <= 6; ++frame) simulator.advanceTo(scene, frame / 24.0);
        if (hash == 0) hash = simulator.frame().stateHash;
        EXPECT_EQ(simulator.frame().stateHash, hash);
        EXPECT_GT(simulator.frame().stats.fabricMass, 0);
    }
}

// B-22
TEST(WetFabrics, goOnFromASavedState) {
    const Scene scene = dropOnSwatch(3, 0.1f, 21);
    Simulator whole, resumed;
    whole.reset(scene);
    for (int frame = 1; frame <= 4; ++frame) whole.advanceTo(scene, frame / 24.0);
    EXPECT_GT(whole.frame().stats.fabricMass, 0);
    resumed.restore(whole.state(), scene);
    EXPECT_EQ(resumed.frame().meshes[0].wetting.wetness, whole.frame().meshes[0].wetting.wetness);
    for (int frame = 5; frame <= 8; ++frame) {
        whole.advanceTo(scene, frame / 24.0);
        resumed.advanceTo(scene, frame / 24.0);
    }
    EXPECT_EQ(resumed.frame().stateHash, whole.frame().stateHash);
}

}  // namespace
}  // namespace purl
