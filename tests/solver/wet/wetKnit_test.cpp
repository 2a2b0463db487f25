// Water in knits: yarn that swells and darkens, layers that bear the weight, and partial wetting.
#include <gtest/gtest.h>

#include "solver/wet/fabrics.h"
#include "tests/solver/knit/fabrics.h"
#include "tests/solver/wet/wetScenes.h"

namespace purl {
namespace {

using namespace test;

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

// G-36 G-38
TEST(WetFabrics, waterThrownAtAKnitWetsAPartOfIt) { expectPartialWetting(8, 44, 20); }

TEST(WetFabrics, nightlyWaterThrownAtAKnitOfTheDocumentsSize) { expectPartialWetting(40, 128, 200); }

}  // namespace
}  // namespace purl
