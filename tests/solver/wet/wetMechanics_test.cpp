// What water does to a fabric: its weight, friction, stiffness and adhesion.
#include <gtest/gtest.h>

#include "solver/wet/fabrics.h"
#include "tests/solver/wet/wetScenes.h"

namespace purl {
namespace {

using namespace test;

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

}  // namespace
}  // namespace purl
