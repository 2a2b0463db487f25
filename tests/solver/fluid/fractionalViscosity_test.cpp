#include "solver/fluid/fractionalViscosity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "solver/cache/stateFile.h"
#include "solver/core/threadPool.h"
#include "solver/fluid/nonPressureForces.h"
#include "tests/solver/meshes.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using namespace test;

constexpr double kStep = 2e-3;
constexpr PressureSolver kSolvers[] = {PressureSolver::wcsph, PressureSolver::pbf, PressureSolver::dfsph};

Scene remembering(int memory = 10, FractionalScale scale = FractionalScale::calibrated) {
    Scene scene = wcsphScene();
    scene.solver.gravity = 0;
    scene.solver.wcsph.integrator = Integrator::semiImplicitEuler;
    scene.fluids.push_back(dampedWater("water"));
    FluidParams& params = scene.fluids[0].params;
    params.viscosityModel = ViscosityModel::fractional;
    params.fractional.memory = memory;
    params.reference.fractionalScale = scale;
    params.surfaceTension = 0;
    params.stiffness = 0;
    return scene;
}
Scene classical(Scene scene) {
    scene.fluids[0].params.viscosityModel = ViscosityModel::mueller;
    return scene;
}

// Accelerations of particles at rest that had the velocities `log[0]`, `log[1]`, …
std::vector<Vec3> accelerations(const Scene& scene, const std::vector<Vec3>& points,
                                const std::vector<std::vector<Vec3>>& log) {
    Measured measured(scene, points);
    State state(oneThread());
    state.particles = measured.particles;
    FractionalViscosity fractional(oneThread());
    for (const std::vector<Vec3>& velocities : log) {
        for (size_t i = 0; i < velocities.size(); ++i) state.particles.v[static_cast<int>(i)] = velocities[i];
        fractional.remember(state, scene, kStep, state.particles.v);
    }
    LaneMemory lanes(oneThread());
    const Span<const Vec3> past = fractional.past().span();
    applyForces(state.particles, measured.neighbors, measured.materials, measured.volume, lanes, past);
    return {state.particles.a.begin(), state.particles.a.end()};
}

std::vector<Vec3> shearAt(const std::vector<Vec3>& points, float rate) {
    std::vector<Vec3> v;
    for (const Vec3& x : points) v.push_back({rate * x.y * x.y, 0, 0});
    return v;
}

std::vector<Vec3> cloud(float spacing) { return jittered(lattice(7, 7, 7, spacing), 0.2f * spacing); }

// O-43. By hand: μ Σ (D^½xⱼ − D^½xᵢ) V ∇²W / ρ, of one pair with a past.
TEST(FractionalViscosity, ofAPairIsTheFormula) {
    const Scene scene = remembering(10, FractionalScale::literal);
    const FluidParams& params = scene.fluids[0].params;
    const double h = supportRadius(params), r = 0.5 * h;
    const std::vector<Vec3> points{{0, 0, 0}, {float(r), 0, 0}};
    std::vector<std::vector<Vec3>> log;
    for (int n = 0; n < 14; ++n) log.push_back({{0, 0.1f * float(n), 0}, {0, 0.3f * std::sin(float(n)), 0}});
    const std::vector<Vec3> a = accelerations(scene, points, log);
    const HistoryWeights weights = trapezoidWeights(0.5, 10);
    double difference = 0;
    for (size_t k = 0; k < 10; ++k) difference += weights.perLag[k] * double(log[13 - k][1].y - log[13 - k][0].y);
    difference *= weights.scale(kStep);
    const double rho = Measured(scene, points).particles.density[0], volume = particleMass(params) / rho;
    const double laplacian = 45 / (kPi * std::pow(h, 6)) * (h - r);
    EXPECT_NEAR(a[0].y / (params.viscosity / rho * difference * volume * laplacian), 1, 1e-5);
    EXPECT_NEAR(a[0].y, -a[1].y, 1e-5 * std::fabs(a[0].y));
}

// O-42 O-45. Held steady, shear is as viscous as it says, for any memory; taken literally it is G times that.
TEST(FractionalViscosity, isTheClassicalOneInSteadyShear) {
    const std::vector<Vec3> points = cloud(FluidParams{}.particleSpacing);
    const std::vector<Vec3> shear = shearAt(points, 30);
    const std::vector<Vec3> old = accelerations(classical(remembering()), points, {shear});
    for (const int memory : {1, 4, 10}) {
        const std::vector<std::vector<Vec3>> log(20, shear);
        const std::vector<Vec3> same = accelerations(remembering(memory), points, log),
                                literal = accelerations(remembering(memory, FractionalScale::literal), points, log);
        const double gain = trapezoidWeights(0.5, memory).steadyGain(kStep);
        for (size_t i = 0; i < points.size(); ++i) {
            EXPECT_NEAR(same[i].x, old[i].x, 1e-4 * (1 + std::fabs(old[i].x)));
            EXPECT_NEAR(literal[i].x, gain * double(old[i].x), 1e-4 * gain * (1 + std::fabs(old[i].x)));
        }
    }
}

// O-46
TEST(FractionalViscosity, isNoneWhereAllMoveAlike) {
    const std::vector<Vec3> points = cloud(FluidParams{}.particleSpacing);
    std::vector<std::vector<Vec3>> log;
    for (int n = 0; n < 12; ++n) log.emplace_back(points.size(), Vec3{std::sin(float(n)), 0.2f * float(n), -1});
    for (const Vec3& a : accelerations(remembering(), points, log)) EXPECT_EQ(a, Vec3{});
}

Scene splash(PressureSolver solver) {
    Scene scene;
    scene.solver.pressureSolver = solver;
    scene.fluids.push_back(dampedWater("water"));
    scene.fluids[0].params.viscosityModel = ViscosityModel::fractional;
    scene.fluids[0].volumes.push_back(boxMesh({0, 0.02f, 0}, {0.1f, 0.16f, 0.1f}));
    scene.colliders.resize(1);
    scene.colliders[0].name = "floor";
    scene.colliders[0].params.shape = ColliderShape::plane;
    return scene;
}

// O-44. Without memory it is the classical one, bit for bit or nearly.
TEST(FractionalViscosity, withoutMemoryIsStandardSph) {
    for (const PressureSolver solver : kSolvers) {
        Scene scene = splash(solver);
        scene.fluids[0].params.fractional.memory = 1;
        scene.solver.maxTimeStep = 2e-3f;
        Simulator remembers(oneThread()), forgets(oneThread());
        const Frame& a = run(remembers, scene, 0.1, 0.01);
        const Frame& b = run(forgets, classical(scene), 0.1, 0.01);
        for (size_t i = 0; i < a.points.count(); ++i)
            EXPECT_LT(length(a.points.positions[i] - b.points.positions[i]), 1e-4f) << static_cast<int>(solver);
    }
}

// O-12. The past is part of the state: saved, it goes on as if nothing had happened, with any number of threads.
TEST(FractionalViscosity, resumesToTheSameBits) {
    for (const PressureSolver solver : kSolvers) {
        const Scene scene = splash(solver);
        Simulator whole(oneThread());
        run(whole, scene, 0.06, 0.02);
        const std::string path = testing::TempDir() + "fractional.state";
        saveState(whole.state(), path);
        Simulator resumed(Device::cpu(2));
        resumed.restore(loadState(path, Device::cpu(2)), scene);
        std::remove(path.c_str());
        State forgetful = whole.state();
        for (float& value : forgetful.particles.history.values) value = 0;
        Simulator other(oneThread());
        other.restore(std::move(forgetful), scene);
        const uint64_t hash = run(whole, scene, 0.12, 0.02).stateHash;
        EXPECT_EQ(run(resumed, scene, 0.12, 0.02).stateHash, hash);
        EXPECT_NE(run(other, scene, 0.12, 0.02).stateHash, hash);
    }
}

// O-57. What is remembered allows a longer step.
TEST(FractionalViscosity, bearsLongerSteps) {
    FluidParams params;
    params.viscosity = 50;
    const double classicalLimit = viscosityStepLimit(params);
    params.viscosityModel = ViscosityModel::fractional;
    EXPECT_NEAR(viscosityStepLimit(params) / classicalLimit, 6.487 / 2, 0.05);
    // Frozen particles, velocities at random, 2.5 times the step that the classical force bears.
    Scene scene = remembering();
    scene.fluids[0].params.viscosity = 50;
    const double dt = 2.5 / 1.5 * classicalLimit;
    const auto energyAfter = [&](const Scene& of) {
        Measured measured(of, lattice(8, 8, 8, params.particleSpacing), jittered(std::vector<Vec3>(512), 1, 3));
        State state(oneThread());
        state.particles = measured.particles;
        FractionalViscosity fractional(oneThread());
        LaneMemory lanes(oneThread());
        double energy = 0;
        for (int n = 0; n < 200; ++n) {
            fractional.remember(state, scene, dt, state.particles.v);
            applyForces(state.particles, measured.neighbors, measured.materials, measured.volume, lanes,
                        fractional.past().span());
            energy = 0;
            for (int i = 0; i < 512; ++i) {
                state.particles.v[i] += float(dt) * state.particles.a[i];
                energy += double(lengthSquared(state.particles.v[i]));
            }
        }
        return energy;
    };
    EXPECT_LT(energyAfter(scene), 200);
    EXPECT_FALSE(energyAfter(classical(scene)) < 1e6);
}

// O-58. A dam of thicker water runs less far.
TEST(FractionalViscosity, slowsADamBreak) {
    double last = 1e9;
    for (const float viscosity : {1.0f, 10.0f, 40.0f}) {
        Scene scene = splash(PressureSolver::wcsph);
        scene.fluids[0].params.viscosity = viscosity;
        Simulator simulator(oneThread());
        double front = 0;
        for (const Vec3& x : run(simulator, scene, 0.2, 0.05).points.positions) front = std::max(front, double(x.x));
        EXPECT_LT(front, last) << viscosity;
        last = front;
    }
}

// O-60. Remembering costs one more loop over the particles in each step, and no more neighbours than the classical
// force visits. bench/models measures the time.
TEST(FractionalViscosity, memoryAddsOneLoopToAStep) {
    const auto loops = [](ViscosityModel model) {
        Scene scene = splash(PressureSolver::wcsph);
        scene.fluids[0].params.viscosityModel = model;
        scene.solver.maxTimeStep = 2e-3f;
        Simulator simulator(oneThread());
        simulator.reset(scene);
        run(simulator, scene, 0.02, 0.002);
        LoopRecord record;
        {
            const ScopedLoopRecord recording(record);
            run(simulator, scene, 0.04, 0.002);  // ten steps
        }
        return record.loops;
    };
    EXPECT_EQ(loops(ViscosityModel::fractional) - loops(ViscosityModel::mueller), 10);
}

}  // namespace
}  // namespace purl
