// Water between fluids and fabrics: uptake, transport, evaporation, dripping, and the effects on the fabric.
#include "solver/wet/fabrics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solver/simulator.h"
#include "solver/wet/referenceWetting.h"
#include "tests/solver/cloth/cloths.h"
#include "tests/solver/knit/fabrics.h"
#include "tests/solver/meshes.h"

namespace purl {
namespace {

using namespace test;

constexpr float kSpacing = 0.005f;

Fluid water(const std::string& name = "water") {
    Fluid fluid;
    fluid.name = name;
    fluid.params.restDensity = 1000;
    fluid.params.particleSpacing = kSpacing;
    return fluid;
}

// A horizontal swatch, pinned at its border, and above it a block of water n particles wide.
Scene dropOnSwatch(int n, float edge = 0.2f, int points = 41) {
    Scene scene;
    scene.solver.pressureSolver = PressureSolver::dfsph;
    scene.fluids.push_back(water());
    const float half = 0.5f * static_cast<float>(n) * kSpacing;
    scene.fluids[0].volumes.push_back(boxMesh({-half, 0.005f, -half}, {half, 0.005f + 2 * half, half}));
    Cloth swatch = levelCloth(points, edge);
    swatch.params.thickness = 0.002f;
    swatch.pores.params.absorption = Absorption::soak;
    pin(swatch, [&](Vec3 p) { return std::max(std::fabs(p.x), std::fabs(p.z)) > 0.499f * edge; });
    scene.cloths.push_back(swatch);
    return scene;
}

// A cloth that hangs from its upper edge, fully wet, and a fluid that it may drip as.
Scene wetTowel(int nx = 11, int ny = 21, float width = 0.1f, float height = 0.2f) {
    Scene scene;
    scene.solver.pressureSolver = PressureSolver::pbf;
    scene.fluids.push_back(water());
    Cloth towel = gridCloth(nx, ny, {}, {width, 0, 0}, {0, height, 0});
    towel.params.thickness = 0.002f;
    towel.pores.params.absorption = Absorption::soak;
    towel.pores.params.startWetness = 1;
    pin(towel, [&](Vec3 p) { return p.y > 0.999f * height; });
    scene.cloths.push_back(towel);
    return scene;
}

// A box that holds water, with frictionless walls.
Collider trayOf(Vec3 low, Vec3 high) {
    Collider tray;
    tray.name = "tray";
    tray.params.shape = ColliderShape::box;
    tray.params.container = true;
    tray.params.friction = 0;
    tray.params.halfSize = 0.5f * (high - low);
    tray.pose.position = 0.5f * (high + low);
    return tray;
}

double bookOf(const Frame& frame) {
    const FrameStats& stats = frame.stats;
    return stats.liquidMass + stats.fabricMass + stats.evaporatedMass + stats.drainedMass - stats.suppliedMass;
}

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

// A wet towel drips from its hem in the air (see above), but not while the hem hangs in a tray of water.
TEST(WetFabrics, dripNothingIntoTheLiquidTheyHangIn) {
    Scene scene = wetTowel();
    scene.solver.pressureSolver = PressureSolver::dfsph;
    const Vec3 low{-0.02f, -0.02f, -0.03f}, high{0.12f, 0.04f, 0.03f};
    scene.fluids[0].volumes.push_back(boxMesh(low, high));
    scene.colliders.push_back(trayOf(low, {high.x, 0.3f, high.z}));
    Simulator simulator(Device::cpu(1));
    const double mass = bookOf(simulator.reset(scene));
    for (int frame = 1; frame <= 24; ++frame)
        ASSERT_NEAR(bookOf(simulator.advanceTo(scene, frame / 24.0)), mass, 1e-9 * mass);
    const Frame& shown = simulator.frame();
    EXPECT_EQ(shown.stats.dripped, 0);
    EXPECT_LT(shown.stats.maxSpeed, 0.7);
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

TEST(WetFabrics, dripWhatCapillarityDoesNotHold) {
    const Scene scene = wetTowel();
    Simulator simulator;
    const Frame& first = simulator.reset(scene);
    const double mass = bookOf(first);
    EXPECT_NEAR(first.stats.fabricMass, 0.1 * 0.2 * 0.001 * 0.6 * 1000, 1e-6);
    EXPECT_EQ(first.points.count(), 0u);
    for (int frame = 1; frame <= 48; ++frame) {
        const Frame& shown = simulator.advanceTo(scene, frame / 24.0);
        ASSERT_NEAR(bookOf(shown), mass, 1e-12 * mass);
    }
    const Frame& shown = simulator.frame();
    EXPECT_GT(shown.stats.dripped, 3);
    EXPECT_EQ(shown.stats.dripped, static_cast<int64_t>(shown.points.count()));
    EXPECT_EQ(shown.stats.emitted, 0) << "drops are not emitted";
    for (size_t i = 0; i < shown.points.count(); ++i) {
        EXPECT_EQ(shown.points.ids[i], static_cast<int64_t>(i)) << "the next ids";
        EXPECT_LT(shown.points.positions[i].y, 0.02f) << "off the lower hem";
    }
    // The remaining water is held by the pores, less the higher: capillary pressure J(s) balances the weight of the
    // water below.
    const Mesh& towel = shown.meshes[0];
    EXPECT_GT(towel.wetting.wetness[5], 0.95f);
    EXPECT_LT(towel.wetting.wetness[20 * 11 + 5], towel.wetting.wetness[5 * 11 + 5]);
}

// A sheet just below the hem leaves no space for a drop: drops between two layers used to shoot out at 280 m/s.
TEST(WetFabrics, dripNothingBetweenLayers) {
    Scene scene = wetTowel();
    Cloth sheet = levelCloth(21, 0.2f);
    sheet.name = "sheet";
    for (Vec3& p : sheet.points) p += Vec3{0.05f, -0.6f * kSpacing, 0};
    pin(sheet, [](Vec3) { return true; });
    scene.cloths.push_back(sheet);
    Simulator simulator;
    simulator.reset(scene);
    for (int frame = 1; frame <= 24; ++frame) {
        const Frame& shown = simulator.advanceTo(scene, frame / 24.0);
        for (const Vec3 v : shown.points.velocities)
            EXPECT_LT(length(v), 2.5f) << "no faster than from a fall of 0.3 m";
        for (const Vec3 x : shown.points.positions)
            EXPECT_FALSE(std::fabs(x.z) < 0.02f && x.y < 0 && x.y > -0.5f * kSpacing) << "in the gap";
    }
}

// A drop is released a spacing below the hem and has the hem's velocity, however fast it moves.
TEST(WetFabrics, dropsComeOffAMovingHemWithItsVelocity) {
    constexpr float kStep = 0.001f;  // s
    for (const PressureSolver solver : {PressureSolver::dfsph, PressureSolver::pbf})
        for (const float speed : {-2.0f, 2.0f}) {
            Scene scene = wetTowel();
            scene.solver.pressureSolver = solver;
            scene.solver.maxTimeStep = kStep;
            scene.cloths[0].pores.params.capillarity = 0;  // water runs down immediately
            scene.cloths[0].pores.params.wickingSpeed = 100;
            pin(scene.cloths[0], [](Vec3) { return true; });
            Simulator simulator;
            simulator.reset(scene);
            int64_t seen = 0;
            for (int step = 1; step <= 100 && seen < 4; ++step) {
                for (Vec3& p : scene.cloths[0].points) p.y += kStep * speed;
                const Points& points = simulator.advanceTo(scene, double(kStep) * step).points;
                for (size_t i = 0; i < points.count(); ++i) {
                    if (points.ids[i] < seen) continue;
                    // Gravity moves it by a five-hundredth of a spacing in a step.
                    const float below = scene.cloths[0].points[0].y - points.positions[i].y;
                    EXPECT_NEAR(below, kSpacing, 0.02f * kSpacing) << "at " << speed << " m/s";
                    EXPECT_NEAR(points.velocities[i].y, speed, 0.05f);
                }
                seen = static_cast<int64_t>(points.count());
            }
            EXPECT_GE(seen, 2) << "it drips";
        }
}

TEST(WetFabrics, withNoFluidToDripAsAWetTowelIsAnError) {
    Scene scene = wetTowel();
    scene.fluids.clear();
    Simulator simulator;
    simulator.reset(scene);
    try {
        for (int frame = 1; frame <= 48; ++frame) simulator.advanceTo(scene, frame / 24.0);
        FAIL() << "it drips";
    } catch (const Error& error) {
        EXPECT_STREQ(
            error.what(),
            "cloth: drips, but there is no fluid to drip as; connect a purlFluid to the solver or turn drips off");
    }
    scene.cloths[0].pores.params.drips = false;
    simulator.reset(scene);
    const double mass = bookOf(simulator.frame());
    for (int frame = 1; frame <= 12; ++frame) simulator.advanceTo(scene, frame / 24.0);
    EXPECT_NEAR(bookOf(simulator.frame()), mass, 1e-12 * mass);
    scene.cloths[0].pores.params.startFluid = "milk";
    EXPECT_THROW(simulator.reset(scene), Error);
}

// G-31
TEST(WetFabrics, waterWeighsAndStretchesThem) {
    const auto length = [](float wetness, float weight) {
        Scene scene = wetTowel();
        scene.fluids.clear();
        Cloth& towel = scene.cloths[0];
        towel.params.stretchStiffness = 50;
        towel.params.solver = ClothSolver::implicitEuler;
        towel.params.damping = 0.1f;
        towel.pores.params.startWetness = wetness;
        towel.pores.params.drips = false;
        towel.pores.params.wickingSpeed = 0;
        towel.pores.params.evaporation = 0;
        towel.pores.params.squeeze = 0;
        towel.pores.params.wetWeight = weight;
        towel.pores.params.wetStiffness = 1;
        Simulator simulator;
        simulator.reset(scene);
        for (int frame = 1; frame <= 48; ++frame) simulator.advanceTo(scene, frame / 24.0);
        return 0.2f - simulator.frame().meshes[0].positions[5].y;
    };
    const float dry = length(0, 1) - 0.2f, wet = length(0.5f, 1) - 0.2f, weightless = length(0.5f, 0) - 0.2f;
    // Dry 0.15 kg/m², plus 0.3 of water: three times the weight, three times the stretch.
    EXPECT_NEAR(wet / dry, 3, 0.1);
    EXPECT_NEAR(weightless, dry, 1e-4f);

    const Scene scene = wetTowel();
    Simulator simulator;
    simulator.reset(scene);
    WetFabrics fabrics(Device::cpu());
    fabrics.set(scene, simulator.state());
    double load = 0;
    for (const float kg : fabrics.load(simulator.state(), scene)) load += double(kg);
    EXPECT_NEAR(load, simulator.frame().stats.fabricMass, 1e-5 * load);
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

TEST(WetFabrics, stretchingWringsWaterOut) {
    Scene scene = wetTowel();
    Cloth& towel = scene.cloths[0];
    towel.pores.params.startWetness = 0.9f;
    towel.pores.params.wickingSpeed = 0;
    towel.pins.assign(towel.points.size(), 1);
    Simulator simulator;
    simulator.reset(scene);
    const double mass = bookOf(simulator.frame());
    for (int frame = 1; frame <= 6; ++frame) simulator.advanceTo(scene, frame / 24.0);
    EXPECT_EQ(simulator.frame().stats.dripped, 0) << "it holds what it has";
    Scene pulled = scene;
    for (Vec3& p : pulled.cloths[0].points) p.y = 0.2f - 1.2f * (0.2f - p.y);
    for (int frame = 7; frame <= 24; ++frame) simulator.advanceTo(pulled, frame / 24.0);
    EXPECT_GT(simulator.frame().stats.dripped, 3) << "a fifth longer closes two fifths of the pores";
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

TEST(WetFabrics, dropsKnowWhichCellTheyCameFrom) {
    Scene scene = wetTowel();
    scene.solver.origins = true;
    Simulator simulator;
    simulator.reset(scene);
    for (int frame = 1; frame <= 24; ++frame) simulator.advanceTo(scene, frame / 24.0);
    const Points& points = simulator.frame().points;
    ASSERT_GT(points.count(), 0u);
    for (size_t i = 0; i < points.count(); ++i) {
        // The fluid has no volumes and no emitters: its sources are fabric cells.
        EXPECT_GE(points.sources[i], 0);
        EXPECT_LT(points.sources[i], 11) << "of the lower hem";
        EXPECT_NEAR(points.restPositions[i].x, scene.cloths[0].points[points.sources[i]].x, 0.02f);
    }
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

// For a knit they name the stitch: its yarn, course and wale identify its position among the curves' points.
TEST(WetFabrics, dropsOffAKnitKnowTheirStitch) {
    Scene scene;
    scene.solver.pressureSolver = PressureSolver::pbf;
    scene.solver.origins = true;
    scene.fluids.push_back(water());
    scene.fluids[0].volumes.push_back(boxMesh({1, 0, 0}, {1 + 2 * kSpacing, kSpacing, kSpacing}));
    Cloth dry = levelCloth(3, 0.1f, {1, 1, 0});
    dry.name = "dry";
    scene.cloths.push_back(dry);
    Knit knit;
    const Cloth plane = gridCloth(9, 17, {}, {0.1f, 0, 0}, {0, 0.2f, 0});
    knit.name = "sleeve";
    knit.points = plane.points;
    knit.faces = plane.faces;
    knit.pores.params.absorption = Absorption::soak;
    knit.pores.params.startWetness = 1;
    scene.knits.push_back(knit);
    Simulator simulator;
    simulator.reset(scene);
    for (int frame = 1; frame <= 24; ++frame) simulator.advanceTo(scene, frame / 24.0);
    const Frame& shown = simulator.frame();
    const Points& points = shown.points;
    const DropOrigins& drops = points.drops;
    ASSERT_EQ(drops.wales.size(), points.count());
    ASSERT_GT(shown.stats.dripped, 1);
    int found = 0;
    for (size_t i = 0; i < points.count(); ++i) {
        if (points.sources[i] == 0) {
            EXPECT_EQ(drops.knits[i], -1) << "filled, not dripped";
            EXPECT_EQ(drops.yarnIds[i], -1);
            continue;
        }
        ++found;
        ASSERT_EQ(drops.knits[i], 0);
        const Curves& sleeve = shown.curves[0];
        EXPECT_EQ(drops.yarnIds[i], sleeve.ids[0]);
        float nearest = 1;
        for (size_t k = 0; k < sleeve.count(); ++k)
            if (sleeve.courses[k] == drops.courses[i] && sleeve.wales[k] == drops.wales[i])
                nearest = std::min(nearest, length(sleeve.positions[k] - points.restPositions[i]));
        EXPECT_LT(nearest, knit.params.stitchWidth + kSpacing)
            << "course " << drops.courses[i] << ", wale " << drops.wales[i];
    }
    EXPECT_EQ(found, shown.stats.dripped);
}

// On a slope of 0.4, friction 0.3 slides and twice that sticks.
TEST(WetFabrics, soakedFabricRubsAsItSays) {
    const auto slid = [](float wetness, float factor) {
        Scene scene;
        scene.solver.gravityDirection = normalized(Vec3{0.4f, -1, 0});
        Cloth cloth = levelCloth(9, 0.08f, {0, 0.001f, 0});
        cloth.params.thickness = 0.002f;
        cloth.params.friction = 0.3f;
        WetParams& params = cloth.pores.params;
        params.absorption = Absorption::soak;
        params.startWetness = wetness;
        params.drips = false;
        params.wetCling = 0;
        params.wetFriction = factor;
        scene.cloths.push_back(cloth);
        Collider slope;
        slope.name = "slope";
        slope.params.shape = ColliderShape::plane;
        slope.params.friction = 0.3f;
        scene.colliders.push_back(slope);
        Simulator simulator;
        simulator.reset(scene);
        for (int frame = 1; frame <= 12; ++frame) simulator.advanceTo(scene, frame / 24.0);
        return simulator.frame().meshes[0].positions[40].x;
    };
    EXPECT_GT(slid(0, 2), 0.05f) << "dry";
    EXPECT_GT(slid(1, 1), 0.05f);
    EXPECT_LT(slid(1, 2), 0.01f);
}

TEST(WetFabrics, soakedFabricIsAsSoftAsItSays) {
    const auto stretch = [](float wetness) {
        Scene scene = wetTowel();
        scene.fluids.clear();
        Cloth& towel = scene.cloths[0];
        towel.params.stretchStiffness = 50;
        towel.params.solver = ClothSolver::implicitEuler;
        towel.params.damping = 0.1f;
        WetParams& params = towel.pores.params;
        params.startWetness = wetness;
        params.drips = false;
        params.wickingSpeed = params.evaporation = params.squeeze = params.wetWeight = 0;
        params.wetStiffness = 0.5f;
        Simulator simulator;
        simulator.reset(scene);
        for (int frame = 1; frame <= 48; ++frame) simulator.advanceTo(scene, frame / 24.0);
        return -simulator.frame().meshes[0].positions[5].y;
    };
    EXPECT_NEAR(stretch(1) / stretch(0), 2, 0.1);
}

TEST(WetFabrics, soakedFabricClingsToACeiling) {
    const auto fallen = [](float wetness, float cling, float stickiness = 0) {
        Scene scene;
        Cloth cloth = levelCloth(11, 0.1f, {0, -0.002f, 0});
        cloth.params.thickness = 0.002f;
        cloth.params.stickiness = stickiness;
        WetParams& params = cloth.pores.params;
        params.absorption = Absorption::soak;
        params.startWetness = wetness;
        params.drips = false;
        params.wetCling = cling;
        scene.cloths.push_back(cloth);
        Collider ceiling;
        ceiling.name = "ceiling";
        ceiling.params.shape = ColliderShape::plane;
        ceiling.params.container = true;
        scene.colliders.push_back(ceiling);
        Simulator simulator;
        simulator.reset(scene);
        for (int frame = 1; frame <= 12; ++frame) simulator.advanceTo(scene, frame / 24.0);
        return -simulator.frame().meshes[0].positions[60].y;
    };
    // (0.15 + 0.6) kg/m² weigh 7.4 Pa.
    EXPECT_LT(fallen(1, 30), 0.004f);
    EXPECT_GT(fallen(0, 30), 0.5f) << "dry it falls";
    EXPECT_GT(fallen(1, 0), 0.5f);
    EXPECT_LT(fallen(0, 0, 30), 0.004f) << "sticky fabric needs no water";
}

// Regression: its friction was uninitialized.
TEST(WetFabrics, aDryClothMindsNoWetOneElsewhere) {
    const auto slid = [](Absorption absorption) {
        Scene scene;
        Cloth dry = levelCloth(5, 0.1f, {0, 0.002f, 0}), other = levelCloth(5, 0.1f, {5, 1, 0});
        dry.name = "dry";
        dry.params.startVelocity = {1, 0, 0};
        other.name = "other";
        other.pores.params.absorption = absorption;
        other.pores.params.startWetness = 1;
        scene.cloths = {dry, other};
        Collider ground;
        ground.name = "ground";
        ground.params.shape = ColliderShape::plane;
        scene.colliders.push_back(ground);
        Simulator simulator;
        simulator.reset(scene);
        for (int frame = 1; frame <= 6; ++frame) simulator.advanceTo(scene, frame / 24.0);
        return simulator.frame().meshes[0].positions;
    };
    EXPECT_EQ(slid(Absorption::soak), slid(Absorption::none));
}

// Vertical and square.
Knit soakingKnit(float side) {
    const Cloth plane = gridCloth(9, 9, {}, {side, 0, 0}, {0, side, 0});
    Knit knit;
    knit.name = "knit";
    knit.points = plane.points;
    knit.faces = plane.faces;
    knit.pores.params.absorption = Absorption::soak;
    return knit;
}

// Half a second long.
void expectBookKept(Simulator& simulator, const Scene& scene) {
    const double mass = bookOf(simulator.frame());
    EXPECT_GT(mass, 0);
    for (int frame = 1; frame <= 12; ++frame) simulator.advanceTo(scene, frame / 24.0);
    EXPECT_NEAR(bookOf(simulator.frame()), mass, 1e-12 * mass);
}

// G-58 B-28
TEST(WetFabrics, wetYarnIsThickerAndDarker) {
    Scene scene;
    scene.fluids.push_back(water());
    const Knit knit = soakingKnit(0.08f);
    scene.knits.push_back(knit);
    Simulator simulator;
    const Curves dry = simulator.reset(scene).curves[0];
    EXPECT_EQ(dry.wetting.wetness.size(), dry.count());
    EXPECT_EQ(dry.pointColors[0], dry.colors[0]) << "dry is the colour itself";
    scene.knits[0].pores.params.startWetness = 1;
    // Wet below, dry above.
    for (const Vec3 p : knit.points) scene.knits[0].pores.wetnessMap.push_back(p.y < 0.04f ? 1.0f : 0.0f);
    const Curves wet = simulator.reset(scene).curves[0];
    for (size_t i = 0; i < wet.count(); ++i) {
        EXPECT_NEAR(wet.widths[i] / dry.widths[i], 1 + 0.1f * wet.wetting.wetness[i], 1e-4f);
        if (wet.wetting.wetness[i] > 0) {
            EXPECT_GT(wet.widths[i], dry.widths[i]);
            EXPECT_LT(wet.pointColors[i].x, dry.pointColors[i].x);
        } else {
            EXPECT_EQ(wet.pointColors[i], dry.pointColors[i]);
        }
        if (wet.positions[i].y < 0.02f) { EXPECT_NEAR(wet.wetting.wetness[i], 1, 1e-4f); }
        if (wet.positions[i].y > 0.05f) { EXPECT_EQ(wet.wetting.wetness[i], 0); }
    }
    expectBookKept(simulator, scene);
}

// B-122 G-31
TEST(WetFabrics, simulatedKnitsBearTheirWaterInAllLayers) {
    Scene scene;
    scene.fluids.push_back(water());
    Knit knit = soakingKnit(0.06f);
    knit.params.motion = KnitMotion::simulated;
    knit.pores.params.startWetness = 1;
    for (const Vec3 p : knit.points) knit.pins.push_back(p.y > 0.059f ? 1.0f : 0.0f);
    scene.knits.push_back(knit);
    Simulator simulator;
    simulator.reset(scene);
    // The stitches cover about the area of the mesh.
    EXPECT_NEAR(bookOf(simulator.frame()), 0.06 * 0.06 * 0.001 * 0.6 * 1000, 0.1 * 0.00216);
    expectBookKept(simulator, scene);
    for (const Vec3 p : simulator.frame().curves[0].positions) EXPECT_TRUE(isFinite(p));
}

// A block of water, n particles wide, thrown at the centre of a hanging knit.
void expectPartialWetting(int n, int stitches, int steps) {
    Scene scene;
    scene.solver.pressureSolver = PressureSolver::dfsph;
    Knit knit = testing::swatch(stitches, stitches);
    testing::pinTop(knit);
    knit.pores.params.absorption = Absorption::soak;
    const float width = static_cast<float>(stitches) * knit.params.stitchWidth;
    const float height = static_cast<float>(stitches) * knit.params.stitchHeight;
    const float half = 0.5f * static_cast<float>(n) * kSpacing;
    const Vec3 at{0.5f * width, -0.5f * height, half + 0.012f}, corner{half, half, half};
    scene.fluids.push_back(water());
    scene.fluids[0].volumes.push_back(boxMesh(at - corner, at + corner));
    scene.fluids[0].params.startVelocity = {0, 0, -1.5f};
    scene.knits.push_back(knit);
    Simulator simulator(Device::cpu(2));
    simulator.reset(scene);
    const auto born = static_cast<size_t>(n) * static_cast<size_t>(n) * static_cast<size_t>(n);
    EXPECT_NEAR(double(simulator.frame().points.count()), double(born), 0.02 * double(born));
    int taken = 0;
    for (int frame = 1; taken < steps; ++frame) taken += simulator.advanceTo(scene, frame / 24.0).stats.steps;
    const Frame& shown = simulator.frame();
    for (const Vec3 p : shown.points.positions)
        EXPECT_LT(length(p - at), 5) << "lost particles are reported as an Error";
    const std::vector<float>& wetness = shown.curves[0].wetting.wetness;
    EXPECT_GT(*std::max_element(wetness.begin(), wetness.end()), 0.1f);
    EXPECT_EQ(*std::min_element(wetness.begin(), wetness.end()), 0);
    // The stages timed in the document: neighbours, fluid, coupling; control points are computed per frame, not per
    // step.
    for (const char* stage : {"findNeighbors", "solveDensity", "moveCloths", "soakFabrics", "deliverReaction"}) {
        const auto& timed = simulator.timings();
        const auto own =
            std::find_if(timed.begin(), timed.end(), [&](const PhaseTime& time) { return time.phase == stage; });
        ASSERT_NE(own, timed.end()) << stage;
        EXPECT_GT(own->seconds, 0) << stage;
        EXPECT_GE(own->calls, taken) << stage;
    }
}

// G-36 G-38
TEST(WetFabrics, waterThrownAtAKnitWetsAPartOfIt) { expectPartialWetting(8, 44, 20); }
TEST(WetFabrics, nightlyWaterThrownAtAKnitOfTheDocumentsSize) { expectPartialWetting(40, 128, 200); }

}  // namespace
}  // namespace purl
