#include "solver/fluid/pressure/dfsph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "solver/cache/stateFile.h"
#include "solver/step.h"
#include "tests/solver/meshes.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using namespace test;

constexpr float kSpacing = 0.02f;

Scene sceneWith(PressureSolver solver) {
    Scene scene;
    scene.solver.pressureSolver = solver;
    scene.fluids.push_back(dampedWater("water"));
    return scene;
}

// nx × ny × nz particles of water in the corner of a box.
Scene tank(PressureSolver solver, int nx, int ny, int nz, Vec3 box, WallModel walls = WallModel::automatic) {
    Scene scene = sceneWith(solver);
    const Vec3 size = kSpacing * Vec3{float(nx), float(ny), float(nz)};
    scene.fluids[0].volumes.push_back(boxMesh({0, 0, 0}, size));
    scene.colliders.push_back(boxCollider({0, 0, 0}, kSpacing * box));
    scene.colliders[0].params.boundary = walls;
    return scene;
}

// Water with default settings in a box that is no whole number of spacings wide, as artists' boxes are, starts at rest
// density and stays calm: fills that did not fit began 9 % too dense and heaved at 0.6 m/s.
TEST(Dfsph, aPoolOfAnySizeRestsFromTheStart) {
    Scene scene;
    scene.fluids.push_back(fluidOf("purlWater"));
    scene.fluids[0].params.particleSpacing = 0.0093f;
    scene.fluids[0].volumes.push_back(boxMesh({}, {0.15f, 0.08f, 0.1f}));
    Collider tank;
    tank.name = "tank";
    tank.params.container = true;
    tank.mesh = boxMesh({}, {0.15f, 0.3f, 0.1f});
    scene.colliders.push_back(tank);
    Simulator simulator(oneThread());
    EXPECT_LT(simulator.reset(scene).stats.maxCompression, 1.1) << "edges of mesh walls count 7 % too much";
    for (int frame = 1; frame <= 8; ++frame) {
        const Frame& shown = simulator.advanceTo(scene, frame / 24.0);
        EXPECT_LE(shown.stats.steps, 12);
        EXPECT_LT(shown.stats.kineticEnergy, 1e-3) << "J, of 1.2 kg: 4 cm/s";
    }
}

// The system of some particles, laid out.
struct System {
    Particles particles;
    Neighbors neighbors{oneThread()};
    Materials materials{oneThread()};
    Boundary boundary{oneThread()};
    Buffer<float> volume{oneThread()};
    Buffer<Vec3> v{oneThread()};
    Dfsph dfsph;

    System(const Scene& scene, const std::vector<Vec3>& points)
        : particles(stateOf(points).particles), dfsph(oneThread()) {
        materials.set(scene);
        neighbors.build(particles.x, materials.searchRadius);
        if (!scene.colliders.empty()) {
            boundary.prepare(StepColliders(scene), materials.spacing,
                             BoundaryKernel::cubicSpline(materials.searchRadius));
            boundary.moveTo(StepColliders(scene), 1, 1, 0);
            boundary.findNeighbors(particles.x);
        }
        measure(scene);
    }
    void measure(const Scene& scene) {
        dfsph.measure(particles, neighbors, scene.colliders.empty() ? nullptr : &boundary, materials, volume);
        v.resize(particles.count());
    }
};

double meanHeight(const Frame& frame) {
    double sum = 0;
    for (const Vec3& x : frame.points.positions) sum += double(x.y);
    return sum / double(frame.points.count());
}

// L-14
TEST(Dfsph, aLatticeHasItsRestDensity) {
    const Scene scene = sceneWith(PressureSolver::dfsph);
    const System system(scene, lattice(7, 7, 7, kSpacing));
    const int middle = 3 + 7 * (3 + 7 * 3);
    EXPECT_NEAR(system.particles.density[middle] / scene.fluids[0].params.restDensity, 1, 1e-4);
}

// L-15. ∂δᵢ/∂xᵢ = Σⱼ Vⱼ ∇Wᵢⱼ; the difference of two densities is as exact as floats allow.
TEST(Dfsph, theDensitysGradientIsTheSumOfThePairs) {
    Scene scene = sceneWith(PressureSolver::dfsph);
    std::vector<Vec3> points = jittered(lattice(3, 3, 3, kSpacing), 0.3f * kSpacing);
    const float rho = scene.fluids[0].params.restDensity, step = 1e-3f * kSpacing;
    for (const int axis : {0, 1, 2}) {
        float delta[2];
        for (const int side : {0, 1}) {
            std::vector<Vec3> moved = points;
            moved[13][axis] += side ? step : -step;
            delta[side] = System(scene, moved).particles.density[13] / rho;
        }
        const double slope = double(delta[1] - delta[0]) / (2 * double(step));
        const System system(scene, points);
        const CubicSpline& W = system.materials.spline;
        Vec3 gradient;
        system.neighbors.view().forEach(13, [&](int, Vec3 d, float r2) {
            gradient += (system.materials.fluids[0].restVolume * W.gradientFactor(std::sqrt(r2))) * d;
        });
        EXPECT_NEAR(slope, gradient[axis], 1e-3 * length(gradient) + 0.02);
    }
}

// K-60. The continuity equation dδᵢ/dt = Σⱼ Vⱼ (vᵢ − vⱼ)·∇Wᵢⱼ, which dfsph solves instead of integrating it: nothing
// for a translation, and for an expansion at the rate α what the summed density does, near −3 α inside a lattice.
TEST(Dfsph, theContinuityEquationIsTheRateOfTheSum) {
    const Scene scene = sceneWith(PressureSolver::dfsph);
    constexpr float kRate = 2, kStep = 1e-3f;  // 1/s, s
    const int middle = 3 + 7 * (3 + 7 * 3);
    const auto rateOf = [&](const auto& velocity) {
        const System system(scene, lattice(7, 7, 7, kSpacing));
        double rate = 0;
        system.neighbors.view().forEach(middle, [&](int j, Vec3 d, float r2) {
            const Vec3 relative = velocity(system.particles.x[middle]) - velocity(system.particles.x[j]);
            rate += double(system.materials.fluids[0].restVolume *
                           system.materials.spline.gradientFactor(std::sqrt(r2)) * dot(relative, d));
        });
        return rate;
    };
    EXPECT_EQ(rateOf([](Vec3) { return Vec3{1, 2, 3}; }), 0);
    const double expansion = rateOf([](Vec3 x) { return kRate * x; });
    EXPECT_NEAR(expansion, -3 * double(kRate), 0.1 * 3 * double(kRate));  // the lattice is coarse: 5 %
    float delta[2];
    for (const int side : {0, 1}) {
        std::vector<Vec3> points = lattice(7, 7, 7, kSpacing);
        for (Vec3& x : points) x = (1 + (side ? 0.5f : -0.5f) * kRate * kStep) * x;
        delta[side] = System(scene, points).particles.density[middle] / scene.fluids[0].params.restDensity;
    }
    // The difference of two densities, rounded to 1e-7 each, over 1 ms.
    EXPECT_NEAR((double(delta[1]) - double(delta[0])) / double(kStep), expansion, 1e-3 * -expansion);
}

// What the first solver is for: velocities that do not compress any more than allowed.
TEST(Dfsph, velocitiesAreMadeFreeOfCompression) {
    Scene scene = sceneWith(PressureSolver::dfsph);
    scene.solver.dfsph.maxDivergenceError = 1e-3f;
    scene.solver.dfsph.maxIterations = 1000;
    System system(scene, jittered(lattice(10, 10, 10, kSpacing), 0.05f * kSpacing));
    const Vec3 center = kSpacing * Vec3{5, 5, 5};
    for (int i = 0; i < system.particles.count(); ++i) system.v[i] = -2 * (system.particles.x[i] - center);
    const auto solve = [&](int most) {
        scene.solver.dfsph.maxIterations = most;
        return system.dfsph.solveDivergence(system.particles, system.neighbors, system.materials, scene.solver, 0.002f,
                                            system.v);
    };
    Buffer<Vec3> start = system.v;
    const double before = solve(1).error;
    system.v = start;
    const PressureReport report = solve(1000);
    EXPECT_GT(before, 0.3);  // div v · Δt = 6/s · 0.002 s = 1.2 %, where there are neighbours enough
    EXPECT_LE(report.error, 1e-3);
    EXPECT_LT(report.iterations, 1000);
}

// A column at rest: the floor bears its weight, pressure rises by ρ g with depth, and the tank keeps its volume. In
// so narrow a tank pressures come out a few per cent high: next to walls a particle has fewer neighbours to lean on.
TEST(Dfsph, aColumnAtRestHasHydrostaticPressure) {
    constexpr int kLayers = 20;
    Scene scene = tank(PressureSolver::dfsph, 10, kLayers, 10, {10, 30, 10});
    scene.solver.dfsph.maxIterations = 300;
    Simulator simulator(oneThread());
    const double rest = meanHeight(simulator.reset(scene));
    const Frame& frame = run(simulator, scene, 1.5, 1.0 / 24);
    EXPECT_LE(frame.stats.densityError, scene.solver.maxDensityError);
    EXPECT_LE(frame.stats.meanCompression, 1 + 2e-4);
    EXPECT_NEAR(meanHeight(frame) / rest, 1, 0.02);
    EXPECT_LT(frame.stats.maxSpeed, 0.2);
    const double area = 100 * double(kSpacing) * kSpacing;
    const double weight = double(frame.points.count()) * particleMass(scene.fluids[0].params) * 9.81 / area;

    // Beside what the floor bears, the pressure of the line fitted through those amid the fluid, at the floor.
    // Pressures flicker by some percent from frame to frame; half a second's mean does not.
    double borne = 0, floor = 0;
    constexpr int kFrames = 12;
    for (int f = 1; f <= kFrames; ++f) {
        const Frame& later = simulator.advanceTo(scene, 1.5 + f / 24.0);
        borne += pressureOnFloor(scene, later, area) / kFrames;
        double n = 0, y = 0, p = 0, yy = 0, yp = 0;
        for (size_t i = 0; i < later.points.count(); ++i) {
            const double height = later.points.positions[i].y, pressure = later.points.pressures[i];
            if (height < 2 * double(kSpacing) || height > (kLayers - 2) * double(kSpacing)) continue;
            const Vec3 x = later.points.positions[i];
            if (std::min({x.x, x.z, 10 * kSpacing - x.x, 10 * kSpacing - x.z}) < 2 * kSpacing) continue;
            n += 1, y += height, p += pressure, yy += height * height, yp += height * pressure;
        }
        const double slope = (n * yp - y * p) / (n * yy - y * y);
        floor += (p - slope * y) / n / kFrames;
    }
    EXPECT_NEAR(borne, weight, 0.03 * weight);
    EXPECT_NEAR(floor, weight, 0.05 * weight);
}

// The deeper, the stiffer: with steps that only speeds limit, this tank burst within two frames.
TEST(Dfsph, aDeepTankStaysAtRest) {
    Scene scene = tank(PressureSolver::dfsph, 10, 40, 10, {10, 60, 10});
    Simulator simulator(oneThread());
    const double rest = meanHeight(simulator.reset(scene));
    for (int frame = 1; frame <= 12; ++frame) {
        const Frame& now = simulator.advanceTo(scene, frame / 24.0);
        ASSERT_LT(now.stats.maxSpeed, 0.8) << frame;  // √(2 g H) is 4 m/s
        EXPECT_NEAR(meanHeight(now) / rest, 1, 0.02) << frame;
    }
}

// The last step's pressures are this one's first guess.
TEST(Dfsph, warmStartSavesIterations) {
    Scene scene = tank(PressureSolver::dfsph, 6, 20, 6, {6, 30, 6});
    scene.solver.dfsph.maxIterations = 1000;
    Simulator simulator(oneThread());
    simulator.reset(scene);
    run(simulator, scene, 0.5, 1.0 / 24);
    const double time = simulator.state().time, later = time + 0.005;
    State cold = simulator.state();
    std::fill(cold.particles.pressure.begin(), cold.particles.pressure.end(), 0.0f);
    const double warmIterations = simulator.advanceTo(scene, later).stats.iterations;
    simulator.restore(cold, scene);
    EXPECT_LT(1.3 * warmIterations, simulator.advanceTo(scene, later).stats.iterations);
}

class AllSolvers : public testing::TestWithParam<SolverAndWalls> {};
INSTANTIATE_TEST_SUITE_P(Pressure, AllSolvers, testing::ValuesIn(everySolverAndWalls()), nameOf);

// G-63 L-26. Whatever the fluid sees of the walls, nothing leaves the box, and nobody flies.
TEST_P(AllSolvers, aDamBreakStaysInItsBox) {
    const Scene scene = tank(GetParam().solver, 10, 20, 10, {30, 40, 10}, GetParam().walls);
    Simulator simulator(oneThread());
    simulator.reset(scene);
    for (int frame = 1; frame <= 15; ++frame) {
        const Frame& now = simulator.advanceTo(scene, frame / 24.0);
        ASSERT_EQ(now.points.count(), 2000u);
        for (const Vec3& x : now.points.positions)
            for (int axis = 0; axis < 3; ++axis) {
                ASSERT_GE(x[axis], -1e-5f);
                ASSERT_LE(x[axis], (kSpacing * Vec3{30, 40, 10})[axis] + 1e-5f);
            }
        // Twice what falling 0.4 m gives.
        ASSERT_LT(now.stats.maxSpeed, 12);
        ASSERT_LT(now.stats.meanCompression, 1.03);
    }
    // The water has reached the far wall.
    float farthest = 0;
    for (const Vec3& x : simulator.frame().points.positions) farthest = std::max(farthest, x.x);
    EXPECT_GT(farthest, 0.55f);
}

// L-18 L-23. Without gravity and walls no solver makes momentum: a drift per step of less than 1e-6 of Σ m|v|.
void expectMomentumIsKept(PressureSolver solver) {
    Scene scene = sceneWith(solver);
    scene.solver.gravity = 0;
    scene.solver.maxTimeStep = 0.001f;
    scene.fluids[0].params.surfaceTension = 0;  // the colour field's tension is no pair force
    State state = stateOf(jittered(lattice(10, 10, 10, 0.98f * kSpacing), 0.1f * kSpacing));
    for (int i = 0; i < state.particles.count(); ++i)
        state.particles.v[i] = state.particles.vHalf[i] =
            Vec3{randomUnit(1, 3 * i), randomUnit(1, 3 * i + 1), randomUnit(1, 3 * i + 2)};
    Simulator simulator(oneThread());
    simulator.restore(state, scene);
    const auto momentum = [&] {
        double sum[3] = {}, scale = 0;
        const Particles& particles = simulator.state().particles;
        for (const Vec3& v : solver == PressureSolver::wcsph ? particles.vHalf : particles.v) {
            for (int axis = 0; axis < 3; ++axis) sum[axis] += double(v[axis]);
            scale += double(length(v));
        }
        return std::array<double, 4>{sum[0], sum[1], sum[2], scale};
    };
    for (int k = 1; k <= 10; ++k) {
        const auto before = momentum();
        simulator.advanceTo(scene, 0.001 * k);
        const auto after = momentum();
        // Leap-frog's first half step goes back before it goes forth.
        if (k == 1 && solver == PressureSolver::wcsph) continue;
        for (size_t axis = 0; axis < 3; ++axis)
            EXPECT_NEAR(after[axis], before[axis], 1e-6 * before[3]) << "step " << k;
    }
}
TEST(Pressure, momentumIsKept) {
    for (const PressureSolver solver : {PressureSolver::wcsph, PressureSolver::pbf, PressureSolver::dfsph}) {
        SCOPED_TRACE(choicesOf(solver)[static_cast<size_t>(solver)]);
        expectMomentumIsKept(solver);
    }
}

// B-108 L-58 L-62. Which holds as no kernel reads what another index of it writes.
TEST_P(AllSolvers, anyNumberOfThreadsGivesTheSameBits) {
    const Scene scene = tank(GetParam().solver, 14, 14, 14, {28, 20, 14}, GetParam().walls);
    uint64_t first = 0;
    for (const int threads : {1, 2, 3}) {
        Simulator simulator(Device::cpu(threads));
        const uint64_t hash = simulator.advanceTo(scene, 0.02).stateHash;
        if (threads == 1) first = hash;
        EXPECT_EQ(hash, first) << threads << " threads";
    }
}

TEST_P(AllSolvers, aSavedStateIsTakenUpBitByBit) {
    const Scene scene = tank(GetParam().solver, 8, 8, 8, {16, 16, 8}, GetParam().walls);
    Simulator played(oneThread());
    played.advanceTo(scene, 0.05);
    const std::string path = testing::TempDir() + "resume_" + nameOf({GetParam(), 0}) +
                             std::to_string(testing::UnitTest::GetInstance()->random_seed());
    saveState(played.state(), path);
    Simulator resumed(oneThread());
    resumed.restore(loadState(path, oneThread()), scene);
    std::remove(path.c_str());
    EXPECT_EQ(played.advanceTo(scene, 0.1).stateHash, resumed.advanceTo(scene, 0.1).stateHash);
}

// A paddle as wide as the box sweeps the water along; the wall behind it stays dry.
TEST(Dfsph, movingWallsPushAndLeakNothing) {
    for (const WallModel walls : {WallModel::particles, WallModel::volumeMap}) {
        Scene scene = tank(PressureSolver::dfsph, 10, 8, 8, {30, 20, 8}, walls);
        scene.colliders.push_back(boxCollider(kSpacing * Vec3{-6, -2, -2}, kSpacing * Vec3{0, 22, 10}, false));
        scene.colliders[1].name = "paddle";
        scene.colliders[1].params.boundary = walls;
        Simulator simulator(oneThread());
        simulator.reset(scene);
        for (int frame = 1; frame <= 12; ++frame) {
            scene.colliders[1].pose.position.x += 0.8f * kSpacing;
            const float face = scene.colliders[1].pose.position.x + 3 * kSpacing;
            for (const Vec3& x : simulator.advanceTo(scene, frame / 24.0).points.positions)
                ASSERT_GE(x.x, face - 1e-4f) << frame;
        }
    }
}

// B-97. Both minima hold; ten times the speed, a tenth of the step.
TEST(StepLength, followsTheFastestParticle) {
    Scene scene = sceneWith(PressureSolver::dfsph);
    const double h = 2 * double(kSpacing);
    EXPECT_LE(stepLimit(scene), 0.2 * std::sqrt(h / 9.81));
    EXPECT_NEAR(speedStepLimit(scene, 1), 0.2 * h, 1e-9);
    EXPECT_NEAR(speedStepLimit(scene, 10), 0.02 * h, 1e-9);
    EXPECT_EQ(speedStepLimit(scene, 1e9), double(scene.solver.minTimeStep));
    scene.solver.cfl = 1.5f;
    EXPECT_THROW(checkScene(scene), Error);
    scene.solver.cfl = 0.2f;

    // Two side by side; one alone meets nothing within a support radius, and may go half as far.
    scene.solver.gravity = 0;
    for (const float particles : {2.0f, 1.0f})
        for (const float speed : {1.0f, 10.0f}) {
            scene.fluids[0].volumes = {boxMesh({0, 0, 0}, {0.02f, particles * 0.02f, 0.02f})};
            scene.fluids[0].params.startVelocity = {speed, 0, 0};
            const double radii = particles > 1 ? 0.2 : 0.5;
            Simulator simulator(oneThread());
            const FrameStats stats = simulator.advanceTo(scene, 0.08).stats;
            EXPECT_EQ(simulator.frame().points.positions.size(), static_cast<size_t>(particles));
            // Steps are even, and two push each other a little.
            EXPECT_NEAR(stats.stepLength, radii * h / double(speed), 0.1 * radii * h / double(speed));
            EXPECT_NEAR(simulator.frame().points.positions[0].x, 0.01 + 0.08 * double(speed), 1e-4 * double(speed));
        }
    // maxTimeStep bounds it, whatever the speed.
    scene.solver.maxTimeStep = 1e-4f;
    Simulator simulator(oneThread());
    EXPECT_EQ(simulator.advanceTo(scene, 0.01).stats.steps, 100);
}

// Water presses by how deep it is, not by how far it has fallen: two puddles above each other are no tank.
TEST(StepLength, followsTheDepthOfTheDeepestColumn) {
    Scene scene = sceneWith(PressureSolver::dfsph);
    const double gravity = double(scene.solver.gravity);
    scene.solver.maxTimeStep = 1;
    const auto limit = [&](double depth) { return speedStepLimit(scene, std::sqrt(gravity * depth)); };
    const auto stepLength = [&] {
        Simulator simulator(oneThread());
        simulator.reset(scene);
        return simulator.advanceTo(scene, 0.02).stats.stepLength;
    };
    const auto slab = [](int layers, float low) {
        return boxMesh({0, low, 0}, {10 * kSpacing, low + static_cast<float>(layers) * kSpacing, 10 * kSpacing});
    };
    scene.fluids[0].volumes = {slab(2, 0), slab(2, 4)};
    EXPECT_GT(stepLength(), 3 * limit(4));
    // A column that stands is as deep as ever.
    scene.fluids[0].volumes = {slab(50, 0)};
    EXPECT_LE(stepLength(), 1.05 * limit(50 * double(kSpacing)));
}

// An emitter shortens steps while it emits, and no longer.
TEST(StepLength, forgetsAnEmitterThatHasEnded) {
    Scene scene = sceneWith(PressureSolver::dfsph);
    scene.solver.gravity = 0;
    scene.fluids[0].volumes = {boxMesh({0, 0, 0}, {0.02f, 0.02f, 0.02f})};
    Emitter emitter;
    emitter.params.radius = 0.03f;
    emitter.params.rate = 1;
    emitter.params.speed = 4;
    emitter.params.endTime = 0.1f;
    scene.fluids[0].emitters.push_back(emitter);
    Collider drain = boxCollider({-1, 0.2f, -1}, {1, 10, 1}, false);
    drain.params.effect = ColliderEffect::kill;
    scene.colliders.push_back(drain);
    Simulator simulator(oneThread());
    simulator.reset(scene);
    const double during = simulator.advanceTo(scene, 0.04).stats.stepLength;
    EXPECT_LE(during, speedStepLimit(scene, 4) * 1.001);
    for (int frame = 2; frame <= 25; ++frame) simulator.advanceTo(scene, 0.04 * frame);
    EXPECT_GT(simulator.frame().stats.stepLength, 2 * during);
}

// A collider in a hurry shortens the step as a particle of its speed would: moved, turned, or a mesh.
TEST(StepLength, followsTheFastestCollider) {
    Scene scene = sceneWith(PressureSolver::dfsph);
    const double h = 2 * double(kSpacing);
    scene.solver.gravity = 0;
    scene.fluids[0].volumes.push_back(boxMesh({0, 0, 0}, {0.02f, 0.02f, 0.02f}));
    scene.colliders.push_back(boxCollider({5, 5, 5}, {6, 5.5f, 5.5f}, false));
    const auto stepLength = [&](const Scene& end) {
        Simulator simulator(oneThread());
        simulator.reset(scene);
        return simulator.advanceTo(end, 0.04).stats.stepLength;
    };
    EXPECT_EQ(stepLength(scene), 0.04);
    Scene moved = scene;
    moved.colliders[0].pose.position += Vec3{0, 0.4f, 0};
    EXPECT_NEAR(stepLength(moved), 0.2 * h / 10, 0.01 * h / 10);
    // Its corners are √(0.5² + 0.25² + 0.25²) m from the middle, and turn by half a right angle.
    Scene turned = scene;
    const float half = std::sqrt(0.5f);
    turned.colliders[0].pose.axes = {{half, half, 0}, {-half, half, 0}, {0, 0, 1}};
    const double speed = std::sqrt(0.375) * std::acos(-1.0) / 4 / 0.04;
    EXPECT_NEAR(stepLength(turned), 0.2 * h / speed, 0.01 * h / speed);

    scene.colliders[0].params.shape = ColliderShape::mesh;
    scene.colliders[0].params.container = false;
    scene.colliders[0].mesh = boxMesh({5, 5, 5}, {6, 5.5f, 5.5f});
    Scene bent = scene;
    bent.colliders[0].mesh.vertices.edit()[7].y += 0.4f;
    EXPECT_NEAR(stepLength(bent), 0.2 * h / 10, 0.01 * h / 10);
    bent.solver.minTimeStep = 0.01f;
    EXPECT_EQ(stepLength(bent), 0.01);
    bent.solver.maxTimeStep = 0.005f;
    EXPECT_NEAR(stepLength(bent), 0.005, 1e-9);
}

// Two fluids of unlike density: the heavy one stays below, and both keep their volume.
TEST(Dfsph, aLightFluidRestsOnAHeavyOne) {
    Scene scene = tank(PressureSolver::dfsph, 6, 6, 6, {6, 20, 6});
    scene.fluids.push_back(dampedWater("oil"));
    scene.fluids[1].params.restDensity = 700;
    scene.fluids[1].volumes.push_back(boxMesh(kSpacing * Vec3{0, 6, 0}, kSpacing * Vec3{6, 12, 6}));
    Simulator simulator(oneThread());
    simulator.reset(scene);
    const Frame& frame = run(simulator, scene, 0.5, 1.0 / 24);
    double heights[2] = {};
    for (size_t i = 0; i < frame.points.count(); ++i)
        heights[frame.points.bodies[i]] += double(frame.points.positions[i].y) / 216;
    EXPECT_NEAR(heights[0], 3 * double(kSpacing), 0.4 * double(kSpacing));
    EXPECT_NEAR(heights[1], 9 * double(kSpacing), 0.4 * double(kSpacing));
    EXPECT_LE(frame.stats.densityError, 0.02);
}

// Friction of the wall is felt by fluid that never touches it.
TEST(Walls, rubTheFluidTheyHold) {
    double moved[2];
    for (const int rough : {0, 1}) {
        Scene scene = tank(PressureSolver::dfsph, 10, 3, 10, {40, 10, 10});
        scene.fluids[0].params.startVelocity = {1, 0, 0};
        scene.colliders[0].params.friction = 0.5f * float(rough);
        Simulator simulator(oneThread());
        simulator.reset(scene);
        run(simulator, scene, 0.2, 0.05);
        double sum = 0;
        for (const Vec3& v : simulator.frame().points.velocities) sum += double(v.x);
        moved[rough] = sum / 300;
    }
    EXPECT_GT(moved[0], 0.8);
    EXPECT_LT(moved[1], 0.6 * moved[0]);
}

}  // namespace
}  // namespace purl
