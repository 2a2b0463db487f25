#include "solver/fluid/periodic.h"

#include <gtest/gtest.h>

#include <map>

#include "solver/core/error.h"
#include "tests/solver/meshes.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

// A block of fluid that fills a periodic box of 0.24 m, without gravity.
Scene fullBox(Vec3 center = {}) {
    Scene scene = test::wcsphScene();
    scene.solver.gravity = 0;
    scene.solver.wcsph.periodicSize = {0.24f, 0.24f, 0.24f};
    scene.solver.wcsph.periodicCenter = center;
    Fluid water = test::dampedWater("water");
    water.volumes = {boxMesh({-0.12f, -0.12f, -0.12f}, {0.12f, 0.12f, 0.12f})};
    scene.fluids = {water};
    return scene;
}

// B-66
TEST(Periodic, whatLeavesOneSideComesInOnTheOtherWithItsVelocity) {
    Scene scene = fullBox();
    scene.fluids[0].volumes = {boxMesh({0.08f, -0.01f, -0.01f}, {0.10f, 0.01f, 0.01f})};
    scene.fluids[0].params.startVelocity = {1, 0, 0};
    Simulator simulator(test::oneThread());
    const Frame& frame = simulator.advanceTo(scene, 0.1);
    ASSERT_EQ(frame.points.count(), 1u);
    EXPECT_NEAR(frame.points.positions[0].x, 0.19 - 0.24, 1e-5);  // rounding
    EXPECT_EQ(frame.points.velocities[0], (Vec3{1, 0, 0}));
    EXPECT_EQ(frame.points.ids[0], 0);
}

// B-66. Across the seam the fluid has the same density as elsewhere, and no particle is accelerated.
TEST(Periodic, densityIsEvenAcrossTheSeam) {
    Simulator simulator(test::oneThread());
    const Frame& frame = simulator.reset(fullBox());
    ASSERT_EQ(frame.points.count(), 1728u);
    for (size_t i = 0; i < frame.points.count(); ++i) {
        // 1.3e-6: rounding of wrapped positions.
        EXPECT_NEAR(frame.points.densities[i], frame.points.densities[0], 1e-5 * frame.points.densities[0]);
        EXPECT_LT(length(frame.points.accelerations[i]), 0.05f);  // m/s²: 0.002, where forces of 1e3 cancel
    }
}

// The position of the seam does not affect the forces: the same fluid with the box shifted by half its size.
TEST(Periodic, forcesDoNotKnowWhereTheSeamIs) {
    for (const ReferenceIntegrator integrator : {ReferenceIntegrator::none, ReferenceIntegrator::velocityVerlet}) {
        Scene here = fullBox(), there = fullBox({0.12f, 0.06f, 0});
        for (Scene* scene : {&here, &there}) {
            scene->solver.reference.integrator = integrator;
            scene->solver.maxTimeStep = 0.001f;
            scene->fluids[0].params.jitter = 0.2f;
            scene->fluids[0].params.surfaceTension = 0;
        }
        Simulator a(test::oneThread()), b(test::oneThread());
        a.advanceTo(here, 0.005);
        b.advanceTo(there, 0.005);
        ASSERT_EQ(a.frame().points.count(), b.frame().points.count());
        double momentum = 0;
        for (size_t i = 0; i < a.frame().points.count(); ++i) {
            const Vec3 va = a.frame().points.velocities[i], vb = b.frame().points.velocities[i];
            EXPECT_LT(length(va - vb), 1e-4f);  // m/s, of 1.5: rounding of the shifted positions
            momentum += va.x;
        }
        // In m/s: rounding.
        EXPECT_NEAR(momentum / double(a.frame().points.count()), 0, 1e-5) << "what one side gives the other gets";
        EXPECT_GT(a.frame().stats.maxSpeed, 0.01);  // 1.5 m/s: there was something to compare
    }
}

TEST(Periodic, copiesAreOfAllChannelsAndGoAgain) {
    Particles particles = test::stateOf({{0.01f, 0.01f, 0.5f}, {0.5f, 0.5f, 0.5f}}, {1, 2, 3}).particles;
    const PeriodicBox box{{}, {1, 1, 0}};
    addGhosts(particles, box, 0.1f);
    ASSERT_EQ(particles.count(), 5) << "a particle at an edge has three ghosts";
    for (int i = 2; i < 5; ++i) {
        EXPECT_LT(particles.id[i], 0);
        EXPECT_EQ(particles.v[i], (Vec3{1, 2, 3}));
        EXPECT_EQ(box.wrapped(particles.x[i]).z, 0.5f);
        EXPECT_NEAR(box.wrapped(particles.x[i]).x, 0.01, 1e-6);
    }
    removeGhosts(particles);
    EXPECT_EQ(particles.count(), 2);
    EXPECT_THROW(addGhosts(particles, box, 1.5f), Error);
}

TEST(Periodic, otherSolversSayThatTheyDoNotKnowIt) {
    Scene scene = fullBox();
    scene.solver.pressureSolver = PressureSolver::dfsph;
    Simulator simulator(test::oneThread());
    simulator.advanceTo(scene, 0.01);
    ASSERT_FALSE(simulator.warnings().empty());
    EXPECT_NE(simulator.warnings()[0].find("periodicSize"), std::string::npos);
}

}  // namespace
}  // namespace purl
