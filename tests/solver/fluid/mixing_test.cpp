#include "solver/fluid/mixing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "solver/cache/stateFile.h"
#include "tests/solver/meshes.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using namespace test;

constexpr float kSpacing = 0.02f;

Fluid layer(const std::string& name, float restDensity, Vec3 low, Vec3 high, Vec3 color) {
    Fluid fluid = fluidOf("purlWater", name);
    fluid.params.restDensity = restDensity;
    fluid.params.particleSpacing = kSpacing;
    fluid.params.stiffness = 20 * 1000 / restDensity;          // all yield alike to a pressure
    fluid.params.viscosity = 3e-3f * restDensity;              // about that of Kelager's water
    fluid.params.wcsph.kernel = SmoothingKernel::cubicSpline;  // muller's pair stirs a fluid this stiff and light
    fluid.params.surfaceTension = 0;
    fluid.params.jitter = 0.1f;
    fluid.params.color = color;
    fluid.volumes.push_back(boxMesh(kSpacing * low, kSpacing * high));
    return fluid;
}

// Red above blue in a closed box of 8 × 12 × 8 spacings.
Scene layers(PressureSolver solver, float above, float below, float dispersion = 0) {
    Scene scene;
    scene.solver.pressureSolver = solver;
    scene.fluids.push_back(layer("above", above, {0, 6, 0}, {8, 12, 8}, {1, 0, 0}));
    scene.fluids.push_back(layer("below", below, {0, 0, 0}, {8, 6, 8}, {0, 0, 1}));
    for (Fluid& fluid : scene.fluids) fluid.params.dispersion = dispersion;
    scene.colliders.push_back(boxCollider({0, 0, 0}, kSpacing * Vec3{8, 16, 8}));
    // Smooth: between the bumps of boundary particles light ones would stay caught.
    if (solver == PressureSolver::wcsph) scene.colliders[0].params.boundary = WallModel::volumeMap;
    return scene;
}

double meanHeight(const Frame& frame, int body) {
    const Points points = pointsOf(frame, body);
    double sum = 0;
    for (const Vec3 x : points.positions) sum += double(x.y) / static_cast<double>(points.count());
    return sum / kSpacing;
}

class Phases : public testing::TestWithParam<PressureSolver> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Phases,
                         testing::Values(PressureSolver::wcsph, PressureSolver::dfsph, PressureSolver::pbf));

// B-80 B-83. Ten times as heavy, on top: it sinks (Rayleigh and Taylor), and each keeps its own density.
TEST_P(Phases, heavySinksBelowLight) {
    const Scene scene = layers(GetParam(), 1000, 100);
    Simulator simulator(oneThread());
    simulator.reset(scene);
    EXPECT_NEAR(meanHeight(simulator.frame(), 0), 9, 0.2);  // spacings: 0.02 measured
    simulator.advanceTo(scene, 1.6);
    const Frame& frame = simulator.frame();
    // 6 spacings when they have changed places; 5.6 measured, while the surface is not yet level.
    EXPECT_LT(meanHeight(frame, 0) + 4.5, meanHeight(frame, 1));
    for (int body = 0; body < 2; ++body) {
        std::vector<float> ratios;
        const Points points = pointsOf(frame, body);
        for (const float density : points.densities)
            ratios.push_back(density / frame.bodies[static_cast<size_t>(body)].restDensity);
        std::nth_element(ratios.begin(), ratios.begin() + static_cast<int>(ratios.size() / 2), ratios.end());
        EXPECT_NEAR(ratios[ratios.size() / 2], 1, 0.05) << body;  // 4 % at most
    }
}

// B-83 K-79. Light above heavy stays as it is, across a jump of 1 to 10.
TEST_P(Phases, lightRestsOnHeavy) {
    const Scene scene = layers(GetParam(), 100, 1000);
    Simulator simulator(oneThread());
    simulator.reset(scene);
    simulator.advanceTo(scene, 0.5);
    EXPECT_GT(meanHeight(simulator.frame(), 0), meanHeight(simulator.frame(), 1) + 5.5);
    EXPECT_LT(simulator.frame().stats.maxSpeed, 1.0);
}

// B-83. As stiff as each other, the light one is pushed by pressures a hundred times its own: steps are as short as
// that asks for.
TEST(PhasesOfWcsph, lightRestsOnHeavyThatIsAsStiff) {
    Scene scene = layers(PressureSolver::wcsph, 10, 1000);
    for (Fluid& fluid : scene.fluids) fluid.params.stiffness = 100;
    scene.colliders[0].params.boundary = WallModel::contact;
    const double h = supportRadius(scene.fluids[0].params);
    EXPECT_NEAR(stepLimit(scene), 0.4 * h / std::sqrt(0.5 * (100 + 100 * 100)), 1e-8);
    Simulator simulator(oneThread());
    simulator.reset(scene);
    simulator.advanceTo(scene, 0.3);
    EXPECT_GT(meanHeight(simulator.frame(), 0), meanHeight(simulator.frame(), 1) + 4);
    EXPECT_LT(simulator.frame().stats.maxSpeed, 1.0);
    // A step as long as either fluid would take alone does not hold them: the limit is no idle one.
    scene.solver.maxTimeStep = static_cast<float>(stepLimit(scene.fluids[0].params));
    simulator.reset(scene);
    simulator.advanceTo(scene, 0.1);
    EXPECT_GT(simulator.frame().stats.maxSpeed, 5.0);
}

// B-78. Density is mass times Σ W: what a neighbour weighs does not matter, only that it is there.
TEST(PhasesOfWcsph, densityCountsParticlesWhateverTheyWeigh) {
    const std::vector<Vec3> points = jittered(lattice(6, 6, 6, kSpacing), 0.3f * kSpacing);
    for (const float light : {1000.0f, 100.0f, 10.0f}) {
        const Scene scene = layers(PressureSolver::wcsph, 1000, light);
        Particles particles = stateOf(points).particles;
        for (int i = 0; i < particles.count(); ++i) particles.body[i] = i % 2;
        Materials materials;
        Neighbors neighbors;
        Buffer<float> volume;
        materials.set(scene);
        neighbors.build(particles.x, materials.searchRadius);
        computeDensity(particles, neighbors, materials, volume);
        for (int i = 0; i < particles.count(); i += 7) {
            const FluidConstants& fluid = materials.fluids[particles.body[i]];
            double number = 0;
            for (const Vec3 x : points)
                number += double(fluid.densityWeight(lengthSquared(points[static_cast<size_t>(i)] - x)));
            EXPECT_NEAR(particles.density[i] / fluid.mass, number, 1e-5 * number) << light;
        }
    }
}

// Pairs of unlike fluids push and rub each other equally: no force from outside, no momentum.
TEST(PhasesOfWcsph, fluidsOfUnlikeDensityKeepMomentum) {
    Scene scene = layers(PressureSolver::wcsph, 1000, 100);
    scene.solver.gravity = 0;
    scene.fluids[1].params.viscosity = 3;
    State state = stateOf(jittered(lattice(8, 8, 8, kSpacing), 0.3f * kSpacing));
    Particles& particles = state.particles;
    for (int i = 0; i < particles.count(); ++i) {
        particles.body[i] = particles.x[i].y > 4 * kSpacing;
        particles.v[i] = {randomUnit(7, static_cast<uint64_t>(i)), 0, 0};
    }
    Materials materials;
    Neighbors neighbors;
    Buffer<float> volume;
    materials.set(scene);
    neighbors.build(particles.x, materials.searchRadius);
    computeDensity(particles, neighbors, materials, volume);
    applyForces(particles, neighbors, materials, volume);
    Vec3 sum;
    float all = 0;
    for (int i = 0; i < particles.count(); ++i) {
        const Vec3 force = materials.fluids[particles.body[i]].mass * particles.a[i];
        sum += force;
        all += length(force);
    }
    EXPECT_GT(all, 0);
    EXPECT_LT(length(sum), 1e-5f * all);  // 3e-8: rounding
}

double spread(const Frame& frame) {
    double mean = 0, square = 0;
    for (const Vec3 c : frame.points.colors) mean += double(c.x) / static_cast<double>(frame.points.count());
    for (const Vec3 c : frame.points.colors)
        square += (double(c.x) - mean) * (double(c.x) - mean) / static_cast<double>(frame.points.count());
    return std::sqrt(square);
}

class Mixing : public testing::TestWithParam<PressureSolver> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Mixing,
                         testing::Values(PressureSolver::wcsph, PressureSolver::dfsph, PressureSolver::pbf));

// B-79 B-81 B-82 B-125. Equal fluids: colour spreads, the faster the larger the dispersion, none is lost, none is made.
TEST_P(Mixing, spreadsColourAndKeepsItsAmount) {
    double last = 0.51;
    for (const float dispersion : {1e-3f, 3e-3f, 1e-2f}) {
        const Scene scene = layers(GetParam(), 1000, 1000, dispersion);
        Simulator simulator(oneThread());
        simulator.reset(scene);
        ASSERT_EQ(simulator.frame().points.colors.size(), simulator.frame().points.count());
        EXPECT_NEAR(spread(simulator.frame()), 0.5, 1e-9);  // half are 0, half are 1
        const Frame& frame = simulator.advanceTo(scene, 0.2);
        EXPECT_LT(spread(frame), last - 0.01) << dispersion;  // 0.04 and more less for every larger dispersion
        last = spread(frame);
        double red = 0, blue = 0;
        for (const Vec3 c : frame.points.colors) {
            red += double(c.x);
            blue += double(c.z);
            EXPECT_NEAR(c.x + c.z, 1, 1e-5f);  // a blend of the two
            EXPECT_GE(c.x, -1e-6f);
            EXPECT_LE(c.x, 1 + 1e-6f);
        }
        EXPECT_NEAR(red / blue, 1, 1e-5) << "as many of each at the start";  // rounding
    }
}

// B-80
TEST(MixingFluids, withoutDispersionNothingMixes) {
    Scene scene = layers(PressureSolver::dfsph, 1000, 1000);
    Simulator simulator(oneThread());
    simulator.reset(scene);
    EXPECT_TRUE(simulator.frame().points.colors.empty());
    scene.fluids[0].params.dispersion = 0.01f;  // one alone has nobody to mix with but itself
    simulator.advanceTo(scene, 0.1);
    const Points& points = simulator.frame().points;
    for (size_t i = 0; i < points.count(); ++i)
        EXPECT_EQ(points.colors[i], scene.fluids[static_cast<size_t>(points.bodies[i])].params.color);
}

// B-79. A step of colour along x in particles at rest becomes ½ erfc(x / √(4 D t)).
TEST(MixingFluids, profileSpreadsAsTheErrorFunction) {
    constexpr float kDispersion = 1e-3f;
    Scene scene = layers(PressureSolver::dfsph, 1000, 1000, kDispersion);
    Particles particles = stateOf(lattice(40, 9, 9, kSpacing)).particles;
    for (int i = 0; i < particles.count(); ++i) particles.body[i] = particles.x[i].x > 20 * kSpacing;
    Materials materials;
    Neighbors neighbors;
    materials.set(scene);
    neighbors.build(particles.x, materials.searchRadius);
    takeUpColors(particles, materials);
    const double time = 2;
    LaneMemory memory;
    for (int k = 0; k < 20; ++k) disperse(particles, neighbors, materials, static_cast<float>(time / 20), memory);
    // Its slope in the middle is 1/√(4π D t).
    double left = 0, right = 0;
    for (int i = 0; i < particles.count(); ++i) {
        const Vec3 x = particles.x[i] / kSpacing;
        if (std::fabs(x.y - 4.5f) > 0.1f || std::fabs(x.z - 4.5f) > 0.1f) continue;
        if (std::fabs(x.x - 19.5f) < 0.1f) left = double(particles.color.values[3 * i]);
        if (std::fabs(x.x - 20.5f) < 0.1f) right = double(particles.color.values[3 * i]);
    }
    const double slope = (left - right) / kSpacing;
    const double measured = 1 / (4 * kPi * time * slope * slope);
    EXPECT_NEAR(measured, kDispersion, 0.05 * kDispersion);  // 2.5 %: a slope over one spacing
}

// Colours are part of the state: saved, and resumed from.
TEST(MixingFluids, coloursAreSavedWithTheState) {
    const Scene scene = layers(PressureSolver::pbf, 1000, 1000, 0.01f);
    Simulator first(oneThread()), second(oneThread());
    first.reset(scene);
    first.advanceTo(scene, 0.05);
    const std::string path = testing::TempDir() + "/mixing.state";
    saveState(first.state(), path);
    second.restore(loadState(path), scene);
    EXPECT_EQ(second.frame().points.colors, first.frame().points.colors);
    EXPECT_EQ(first.advanceTo(scene, 0.1).stateHash, second.advanceTo(scene, 0.1).stateHash);
}

}  // namespace
}  // namespace purl
