#include "solver/guard.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "solver/simulator.h"
#include "tests/fuzz/stateScenes.h"
#include "tests/solver/messageOf.h"

namespace purl {
namespace {

using namespace test;

constexpr double kFrame = 1.0 / 24;  // s

Scene fallingBox(Vec3 velocity, Vec3 spin = {}) {
    Scene scene;
    Collider box;
    box.name = "box";
    box.params.shape = ColliderShape::box;
    box.params.motion = ColliderMotion::dynamic;
    box.params.halfSize = {0.1f, 0.2f, 0.3f};
    box.params.startVelocity = velocity;
    box.params.startSpin = spin;
    scene.colliders.push_back(box);
    return scene;
}

std::string messageOfRun(const Scene& scene) {
    Simulator simulator(Device::cpu(1));
    return messageOf([&] {
        simulator.reset(scene);
        for (int frame = 1; frame <= 4; ++frame) simulator.advanceTo(scene, frame * kFrame);
    });
}

// A manifest cannot hold its velocity, and was unreadable from then on.
TEST(Guard, rigidBodiesThatAreTooFastStopTheRunByName) {
    EXPECT_EQ(messageOfRun(fallingBox({1, 0, 0})), "no error");
    EXPECT_EQ(messageOfRun(fallingBox({1e30f, 0, 0})),
              "box: blew up at 0 s: its speed is 1e+30 m/s; a smaller maxTimeStep, startVelocity or startSpin helps");
    EXPECT_NE(messageOfRun(fallingBox({}, {1e30f, 2e30f, 0})).find("box: blew up at"), std::string::npos);
}

TEST(Guard, namesARigidBodyWhosePoseOrSpinIsNotFinite) {
    const Scene scene = fallingBox({});
    State state;
    state.colliders.resize(1);
    state.colliders[0].rigid = 1;
    throwIfDiverged(state, scene);
    State lost = state;
    lost.colliders[0].pose.position.y = std::numeric_limits<float>::infinity();
    EXPECT_NE(messageOf([&] { throwIfDiverged(lost, scene); }).find("box: blew up at 0 s: its position"),
              std::string::npos);
    lost = state;
    lost.colliders[0].pose.axes.y.z = std::nanf("");
    EXPECT_NE(messageOf([&] { throwIfDiverged(lost, scene); }).find("its spin is not finite"), std::string::npos);
}

TEST(Guard, namesASoftBodyWhosePointIsNotFinite) {
    for (const StateScene& of : stateScenes()) {
        if (of.name != "soft") continue;
        State state = of.state();
        throwIfDiverged(state, of.scene);
        state.soft.v[2].x = std::nanf("");
        EXPECT_NE(messageOf([&] { throwIfDiverged(state, of.scene); }).find("jelly: blew up at"), std::string::npos);
    }
}

// What is derived too: a number that no frame could show.
TEST(Guard, stopsAtStatsAndForcesThatAreNotFinite) {
    State state;
    FrameStats stats;
    throwIfNotFinite(state, stats);
    stats.densityError = std::nan("");
    EXPECT_NE(messageOf([&] { throwIfNotFinite(state, stats); }).find("solver: blew up"), std::string::npos);
    state.particles.resize(1);
    state.particles.pressure[0] = std::numeric_limits<float>::infinity();
    EXPECT_NE(messageOf([&] { throwIfNotFinite(state, {}); }).find("solver: blew up"), std::string::npos);
}

// Hours without a word, before.
TEST(Guard, refusesStepsThatAreTooManyByTheirNumber) {
    Scene cloth = sceneOf(levelCloth(5, 0.1f));
    cloth.cloths[0].params.solver = ClothSolver::velocityVerlet;
    cloth.cloths[0].params.stretchStiffness = 1e9f;
    const std::string message = messageOfRun(cloth);
    EXPECT_EQ(message.find("cloth: a time step of 0.04167 s needs "), 0u) << message;
    EXPECT_NE(message.find("more than 2e+04"), std::string::npos) << message;

    Scene stiff;
    stiff.solver.pressureSolver = PressureSolver::wcsph;
    stiff.fluids.push_back(tinyFluid(1e-4f));
    stiff.fluids[0].params.stiffness = 1e5f;
    EXPECT_EQ(messageOfRun(stiff).find("solver: 0.04167 s takes "), 0u) << messageOfRun(stiff);
}

TEST(Guard, warnsOfFramesOfManySteps) {
    Scene scene;
    scene.solver.maxTimeStep = 5e-6f;
    Fluid speck = tinyFluid(0.02f);
    speck.volumes = {boxMesh({0, 0, 0}, {0.02f, 0.02f, 0.02f})};
    scene.fluids.push_back(speck);
    Simulator simulator(Device::cpu(1));
    simulator.reset(scene);
    simulator.advanceTo(scene, 0.03);
    ASSERT_EQ(simulator.warnings().size(), 1u);
    EXPECT_EQ(simulator.warnings()[0].find("solver: a frame takes 6000 steps of 5e-06 s; "), 0u)
        << simulator.warnings()[0];
}

TEST(Guard, warnsOfAFluidThatIsFilledInsideACollider) {
    Scene scene;
    scene.fluids.push_back(tinyFluid(0.02f));
    Collider rock;
    rock.name = "rock";
    rock.params.shape = ColliderShape::sphere;
    rock.params.radius = 0.2f;
    scene.colliders.push_back(rock);
    Simulator simulator(Device::cpu(1));
    simulator.reset(scene);
    EXPECT_EQ(simulator.frame().points.count(), 0u);
    ASSERT_EQ(simulator.warnings().size(), 1u);
    EXPECT_EQ(simulator.warnings()[0].find("water: no particles: "), 0u);
    scene.colliders[0].pose.position = {5, 0, 0};
    simulator.reset(scene);
    EXPECT_TRUE(simulator.warnings().empty());
}

// Its samples would fill any memory.
TEST(Guard, refusesACollidersSurfaceOfTooManySamples) {
    Scene scene;
    scene.fluids.push_back(tinyFluid(0.02f));
    Collider walls;
    walls.name = "walls";
    walls.params.shape = ColliderShape::box;
    walls.params.container = true;
    walls.params.boundary = WallModel::particles;
    walls.params.halfSize = {1e4f, 1e4f, 1e4f};
    scene.colliders.push_back(walls);
    EXPECT_EQ(messageOfRun(scene).find("walls: its surface needs about "), 0u) << messageOfRun(scene);
}

}  // namespace
}  // namespace purl
