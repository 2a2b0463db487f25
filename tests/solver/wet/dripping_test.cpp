// Drops that fabrics release: how many, where, how fast, and what they know of their origin.
#include <gtest/gtest.h>

#include <cmath>

#include "solver/wet/fabrics.h"
#include "tests/solver/knit/fabrics.h"
#include "tests/solver/wet/wetScenes.h"

namespace purl {
namespace {

using namespace test;

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

}  // namespace
}  // namespace purl
