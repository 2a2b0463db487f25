#include "solver/fluid/adhesion.h"

#include <gtest/gtest.h>

#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using namespace test;

constexpr float kSpacing = 0.001f, kTension = 0.0728f;

// It costs the adhesion to take fluid off a wall.
TEST(Adhesion, isTheWorkToTakeFluidOffAWall) {
    const float h = 0.05f;
    constexpr int kSteps = 1000;
    double work = 0;
    for (int k = 0; k < kSteps; ++k) {
        const float z = h * (static_cast<float>(k) + 0.5f) / kSteps;
        work += double(z * adhesionAt(z, h)) * h / kSteps;
    }
    EXPECT_NEAR(work, 1, 1e-4);  // 5e-8: a midpoint sum
    EXPECT_EQ(adhesionAt(0, h), 0);
    EXPECT_EQ(adhesionAt(h, h), 0);
}

Collider plate(WallModel model, float adhesion) {
    Collider collider = boxCollider({-0.006f, 0, -0.006f}, {0.006f, 0.002f, 0.006f}, false);
    collider.params.boundary = model;
    collider.params.adhesion = adhesion;
    return collider;
}

// Height of the middle of a drop of water, 5 mm wide, 0.1 s after it was put under a plate.
float dropUnder(PressureSolver solver, const Collider& wall) {
    Scene scene;
    scene.solver.pressureSolver = solver;
    scene.fluids.push_back(dampedWater("drop"));
    FluidParams& params = scene.fluids[0].params;
    params.restDensity = 1000;
    params.particleSpacing = kSpacing;
    params.viscosity = 0.1f;
    params.stiffness = 5;
    params.wcsph.attraction = 0;
    params.surfaceTension = kTension;
    params.tensionModel = TensionModel::cohesion;
    scene.colliders.push_back(wall);
    Simulator simulator(oneThread());
    simulator.restore(stateOf(lattice(6, 4, 6, kSpacing, {-0.003f, -0.004f, -0.003f})), scene);
    const Frame& frame = simulator.advanceTo(scene, 0.1);
    double height = 0;
    for (const Vec3 x : frame.points.positions) height += double(x.y) / static_cast<double>(frame.points.count());
    return static_cast<float>(height);
}

class Wall : public testing::TestWithParam<std::pair<PressureSolver, WallModel>> {};
INSTANTIATE_TEST_SUITE_P(SolversAndModels, Wall,
                         testing::Values(std::pair{PressureSolver::wcsph, WallModel::contact},
                                         std::pair{PressureSolver::dfsph, WallModel::volumeMap},
                                         std::pair{PressureSolver::dfsph, WallModel::particles},
                                         std::pair{PressureSolver::pbf, WallModel::contact}));

// B-65 B-126
TEST_P(Wall, holdsADropThatFallsWithoutAdhesion) {
    const auto [solver, model] = GetParam();
    EXPECT_LT(dropUnder(solver, plate(model, 0)), -0.03f);                 // ½ g t² = 49 mm
    EXPECT_GT(dropUnder(solver, plate(model, 1.5f * kTension)), -0.005f);  // hangs
}

// A mesh holds as the box does.
TEST(Adhesion, ofAMeshIsThatOfThePrimitive) {
    Collider box = plate(WallModel::contact, 1), mesh = box;
    mesh.params.shape = ColliderShape::mesh;
    mesh.mesh.vertices = {};
    for (int k = 0; k < 8; ++k)
        mesh.mesh.vertices.push_back({k & 1 ? 0.006f : -0.006f, k & 2 ? 0.002f : 0, k & 4 ? 0.006f : -0.006f});
    mesh.mesh.triangles = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                           2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    const auto pullOf = [](const Collider& collider) {
        Scene scene;
        scene.fluids.push_back(dampedWater("purlWater"));
        scene.fluids[0].params.particleSpacing = kSpacing;
        scene.colliders.push_back(collider);
        Particles particles = stateOf(lattice(3, 3, 1, 0.4f * kSpacing, {0, -0.0015f, 0})).particles;
        Materials materials;
        materials.set(scene);
        Colliders colliders(oneThread());
        colliders.moveTo(StepColliders(scene), 1, 1, 0);
        for (Vec3& a : particles.a) a = {};
        applyAdhesion(particles, colliders, materials);
        return std::vector<Vec3>(particles.a.begin(), particles.a.end());
    };
    const std::vector<Vec3> ofBox = pullOf(box), ofMesh = pullOf(mesh);
    for (size_t i = 0; i < ofBox.size(); ++i) {
        EXPECT_GT(ofBox[i].y, 0);
        EXPECT_LE(length(ofMesh[i] - ofBox[i]), 0.05f * length(ofBox[i])) << "but for a mesh's hair's breadth";
    }
}

}  // namespace
}  // namespace purl
