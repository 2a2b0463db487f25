// Core springs of closed cloths.
#include "solver/cloth/coreSprings.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solver/cloth/cloth.h"
#include "tests/solver/cloth/cloths.h"
#include "tests/solver/meshes.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using namespace test;

// A triangulated sphere with its centre at this height.
Cloth ball(int levels, float radius, float above) {
    const TriangleMesh mesh = sphereMesh({0, radius + above, 0}, radius, levels);
    Cloth cloth;
    cloth.name = "ball";
    cloth.points = mesh.vertices;
    cloth.faces.counts.assign(mesh.triangles.size() / 3, 3);
    cloth.faces.corners = mesh.triangles;
    return cloth;
}

Scene onFloor(const Cloth& cloth) {
    Scene scene = sceneOf(cloth);
    Collider floor;
    floor.name = "floor";
    floor.params.shape = ColliderShape::plane;
    scene.colliders.push_back(floor);
    return scene;
}

float middleOf(const Simulator& simulator) {
    double sum = 0;
    const std::vector<Vec3>& x = simulator.frame().meshes[0].positions;
    for (const Vec3 p : x) sum += double(p.y);
    return static_cast<float>(sum / double(x.size()));
}

// B-38. Dropped, the sphere keeps its shape; without core springs it collapses.
TEST(CoreSprings, keepAClosedMeshFromCollapsing) {
    const auto height = [](float stiffness) {
        Cloth cloth = ball(3, 0.1f, 0.05f);
        cloth.params.coreStiffness = stiffness;
        // A converged solver lets cotton carry itself; few iterations and long steps make it limp.
        cloth.params.maxTimeStep = 0.004f;
        cloth.params.iterations = 5;
        cloth.params.selfCollision = SelfCollision::none;
        const Scene scene = onFloor(cloth);
        Simulator simulator(oneThread());
        simulator.reset(scene);
        play(simulator, scene, 2);
        return middleOf(simulator);
    };
    EXPECT_GT(height(2000), 0.3f * 0.1f);
    EXPECT_GT(height(2000), 0.07f);
    EXPECT_LT(height(0), 0.6f * height(2000));  // 0.033 m and 0.085 m, of 0.1 m
}

// B-38. Thrown, spinning and deformed, without gravity: momentum is conserved.
TEST(CoreSprings, conserveMomentum) {
    for (const ClothSolver solver : {ClothSolver::xpbd, ClothSolver::implicitEuler, ClothSolver::velocityVerlet}) {
        Cloth cloth = ball(3, 0.1f, 0);
        inVacuum(cloth);
        cloth.params.solver = solver;
        cloth.params.coreStiffness = 500;
        cloth.params.startVelocity = {1, 0.5f, 0};
        Scene scene = sceneOf(cloth);
        scene.solver.gravity = 0;
        Simulator simulator(oneThread());
        simulator.reset(scene);
        State state = simulator.state();
        for (int i = 0; i < state.cloth.count(); ++i) {
            const Vec3 out = state.cloth.x[i] - Vec3{0, 0.1f, 0};
            state.cloth.v[i] += Vec3{-8 * out.y, 8 * out.x, 3 * out.x * out.x};
        }
        simulator.restore(std::move(state), scene);
        Cloths cloths(oneThread());
        cloths.set(scene, simulator.state());
        const auto momentum = [&] {
            double p[3] = {};
            for (int i = 0; i < simulator.state().cloth.count(); ++i)
                for (int axis = 0; axis < 3; ++axis)
                    p[axis] += double(cloths.masses(0)[i]) * double(simulator.state().cloth.v[i][axis]);
            return Vec3{float(p[0]), float(p[1]), float(p[2])};
        };
        const Vec3 before = momentum();
        play(simulator, scene, 1);
        // Rounding over 500 steps of xpbd with 10 iterations each.
        EXPECT_LT(length(momentum() - before), 4e-4f * length(before))
            << choicesOf(solver)[static_cast<size_t>(solver)];
        EXPECT_NE(simulator.frame().meshes[0].positions[0], cloth.points[0]);
    }
}

}  // namespace
}  // namespace purl
