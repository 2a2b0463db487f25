#include "solver/coupling/reaction.h"

#include <gtest/gtest.h>

#include "solver/simulator.h"
#include "tests/solver/meshes.h"

using namespace purl;

namespace {

Fluid waterIn(Vec3 low, Vec3 high, float spacing) {
    Fluid water;
    water.name = "water";
    water.params.restDensity = 1000;
    water.params.particleSpacing = spacing;
    water.params.surfaceTension = 0;
    water.volumes.push_back(boxMesh(low, high));
    return water;
}

Collider cube(Vec3 at, float half, float density) {
    Collider box;
    box.name = "cube";
    box.params.shape = ColliderShape::box;
    box.params.motion = ColliderMotion::dynamic;
    box.params.halfSize = {half, half, half};
    box.params.density = density;
    box.pose.position = at;
    return box;
}

Vec3 momentumOf(const Simulator& simulator, const Scene& scene) {
    const Particles& particles = simulator.state().particles;
    const float mass = 1000 * square(scene.fluids[0].params.particleSpacing) * scene.fluids[0].params.particleSpacing;
    Vec3 sum;
    for (const Vec3 v : particles.v) sum += mass * v;
    return sum + massOf(scene.colliders[0]).mass * simulator.state().colliders[0].velocity;
}

class ReactionOf : public testing::TestWithParam<std::tuple<PressureSolver, WallModel>> {};

std::string nameOf(const testing::TestParamInfo<std::tuple<PressureSolver, WallModel>>& info) {
    return choicesOf(PressureSolver())[static_cast<size_t>(std::get<0>(info.param))] + std::string("With") +
           choicesOf(WallModel())[static_cast<size_t>(std::get<1>(info.param))];
}

}  // namespace

// A lump of water runs into a cube at rest: what one loses the other gains.
TEST_P(ReactionOf, keepsMomentum) {
    const auto [solver, walls] = GetParam();
    Scene scene;
    scene.solver.pressureSolver = solver;
    scene.solver.gravity = 0;
    scene.solver.maxTimeStep = 0.001f;
    scene.fluids.push_back(waterIn({-0.3f, -0.1f, -0.1f}, {-0.12f, 0.1f, 0.1f}, 0.02f));
    scene.fluids[0].params.startVelocity = {2, 0, 0};
    scene.colliders.push_back(cube({}, 0.1f, 800));
    scene.colliders[0].params.boundary = walls;
    scene.colliders[0].params.friction = 0.5f;
    Simulator simulator;
    simulator.reset(scene);
    const Vec3 before = momentumOf(simulator, scene);
    simulator.advanceTo(scene, 0.1);
    const Vec3 after = momentumOf(simulator, scene);
    EXPECT_GT(simulator.state().colliders[0].velocity.x, 0.3f);
    // pbf's walls push at every iteration, its bodies once a step.
    EXPECT_LT(length(after - before), (solver == PressureSolver::pbf ? 0.05f : 1e-3f) * length(before));
}

INSTANTIATE_TEST_SUITE_P(
    Reaction, ReactionOf,
    testing::Combine(testing::Values(PressureSolver::wcsph, PressureSolver::pbf, PressureSolver::dfsph),
                     testing::Values(WallModel::contact, WallModel::particles, WallModel::volumeMap)),
    nameOf);

class DragOf : public testing::TestWithParam<std::tuple<PressureSolver, ViscosityModel, ReferenceIntegrator>> {};

// A cube slides between two slabs of honey: viscosity brakes it, and the honey takes up what it loses.
TEST_P(DragOf, keepsMomentum) {
    const auto [solver, model, integrator] = GetParam();
    Scene scene;
    scene.solver.pressureSolver = solver;
    scene.solver.reference.integrator = integrator;
    scene.solver.gravity = 0;
    scene.solver.maxTimeStep = 0.0005f;
    scene.fluids.push_back(waterIn({-0.1f, -0.14f, -0.1f}, {0.1f, -0.06f, 0.1f}, 0.02f));
    scene.fluids[0].volumes.push_back(boxMesh({-0.1f, 0.06f, -0.1f}, {0.1f, 0.14f, 0.1f}));
    scene.fluids[0].params.viscosity = 20;
    scene.fluids[0].params.viscosityModel = model;
    scene.colliders.push_back(cube({}, 0.06f, 2000));
    scene.colliders[0].params.boundary = WallModel::particles;
    scene.colliders[0].params.friction = 0.9f;
    scene.colliders[0].params.startVelocity = {0, 0, 1};
    Simulator simulator;
    simulator.reset(scene);
    const Vec3 before = momentumOf(simulator, scene);
    simulator.advanceTo(scene, 0.02);
    EXPECT_LT(simulator.state().colliders[0].velocity.z, 0.95f);
    // leapFrog's velocities are half a step ahead of what the cube was given.
    EXPECT_LT(length(momentumOf(simulator, scene) - before), 0.01f * length(before));
}

INSTANTIATE_TEST_SUITE_P(
    Reaction, DragOf,
    testing::Values(std::tuple(PressureSolver::dfsph, ViscosityModel::implicit, ReferenceIntegrator::none),
                    std::tuple(PressureSolver::dfsph, ViscosityModel::morris, ReferenceIntegrator::none),
                    std::tuple(PressureSolver::dfsph, ViscosityModel::xsph, ReferenceIntegrator::none),
                    std::tuple(PressureSolver::wcsph, ViscosityModel::implicit, ReferenceIntegrator::none),
                    std::tuple(PressureSolver::wcsph, ViscosityModel::morris, ReferenceIntegrator::none),
                    std::tuple(PressureSolver::wcsph, ViscosityModel::morris, ReferenceIntegrator::rungeKutta4)));

// O-81. Pastes meet rigid bodies by contact alone.
INSTANTIATE_TEST_SUITE_P(ReactionOfPaste, ReactionOf,
                         testing::Values(std::tuple(PressureSolver::doubleDensity, WallModel::contact)), nameOf);

// B-133 K-79. Archimedes: a cube of half the water's density swims half immersed.
TEST(Reaction, cubeFloatsWhereArchimedesSays) {
    Scene scene;
    scene.solver.pressureSolver = PressureSolver::dfsph;
    scene.fluids.push_back(waterIn({-0.2f, 0, -0.2f}, {0.2f, 0.2f, 0.2f}, 0.02f));
    Collider tank;
    tank.name = "tank";
    tank.params.shape = ColliderShape::box;
    tank.params.container = true;
    tank.params.halfSize = {0.2f, 0.5f, 0.2f};
    tank.pose.position = {0, 0.5f, 0};
    scene.colliders = {cube({0, 0.26f, 0}, 0.08f, 500), tank};
    Simulator simulator;
    simulator.reset(scene);
    double height = 0;
    for (int k = 0; k < 40; ++k) {
        simulator.advanceTo(scene, 1 + 0.05 * k);
        height += double(simulator.state().colliders[0].pose.position.y) / 40;
    }
    // The level rises by what is under water.
    const double level = 0.2 + 0.5 * 0.16 * 0.16 * 0.16 / 0.16;
    EXPECT_NEAR(height, level, 0.1 * 0.16);
}

TEST(Reaction, fillLeavesOutWhatIsInsideABody) {
    Scene scene;
    scene.solver.pressureSolver = PressureSolver::dfsph;
    scene.fluids.push_back(waterIn({-0.2f, -0.2f, -0.2f}, {0.2f, 0.2f, 0.2f}, 0.02f));
    scene.colliders = {cube({}, 0.1f, 1000)};
    scene.solver.gravity = 0;
    Simulator simulator;
    EXPECT_EQ(simulator.reset(scene).points.count(), 8000u - 1000u);
    EXPECT_LT(simulator.advanceTo(scene, 0.1).stats.maxSpeed, 0.5);
}

TEST(Reaction, sameBitsForAnyNumberOfThreads) {
    Scene scene;
    scene.solver.pressureSolver = PressureSolver::dfsph;
    scene.fluids.push_back(waterIn({-0.2f, 0.11f, -0.2f}, {0.2f, 0.3f, 0.2f}, 0.025f));
    scene.colliders.push_back(cube({}, 0.1f, 800));
    uint64_t hashes[2];
    for (const int threads : {1, 3}) {
        Simulator simulator(Device::cpu(threads));
        simulator.reset(scene);
        hashes[threads / 2] = simulator.advanceTo(scene, 0.1).stateHash;
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}
