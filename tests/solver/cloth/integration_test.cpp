// Time integration of the cloth solvers: stability, order, energy.
#include <gtest/gtest.h>

#include <cmath>

#include "solver/cloth/forces.h"
#include "solver/cloth/implicit.h"
#include "solver/core/random.h"
#include "tests/solver/cloth/cloths.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using test::oneThread;

// A quad with one edge pinned; the other oscillates on two parallel springs.
struct Oscillator {
    Cloth cloth = test::gridCloth(2, 2, {}, {0.1f, 0, 0}, {0, 0.1f, 0});
    double omega;  // 1/s

    explicit Oscillator(ClothSolver solver) {
        test::inVacuum(cloth).params.solver = solver;
        cloth.params.shearStiffness = cloth.params.bendStiffness = 0;
        cloth.params.stretchStiffness = 100;
        test::pin(cloth, [](Vec3 p) { return p.x < 0.01f; });
        // k = 50 N/m for a quarter of the square's mass.
        omega = std::sqrt(50 / (0.25 * double(cloth.params.density) * 0.01));
    }
    Scene scene() const {
        Scene scene = test::sceneOf(cloth);
        scene.solver.gravity = 0;
        return scene;
    }
    State stretched(float by = 0.001f) const {
        Simulator simulator(oneThread());
        simulator.reset(scene());
        State state = simulator.state();
        for (const int i : {1, 3}) state.cloth.x[i].x += by;
        return state;
    }
    // Total energy relative to the start.
    double energy(const State& state, double by = 0.001) const {
        const double beyond = double(state.cloth.x[1].x) - 0.1, v = double(state.cloth.v[1].x);
        return (beyond * beyond + v * v / (omega * omega)) / (by * by);
    }
};

// B-96 G-06
TEST(ClothIntegration, velocityVerletConservesOscillatorEnergy) {
    Oscillator oscillator(ClothSolver::velocityVerlet);
    const double dt = 0.1 / oscillator.omega;
    oscillator.cloth.params.maxTimeStep = static_cast<float>(1.0001 * dt);
    const Scene scene = oscillator.scene();
    Simulator simulator(oneThread());
    simulator.restore(oscillator.stretched(), scene);
    double low = 1, high = 1;
    for (int block = 1; block <= 1000; ++block) {
        simulator.advanceTo(scene, 100 * block * dt);
        const double energy = oscillator.energy(simulator.state());
        low = std::min(low, energy);
        high = std::max(high, energy);
    }
    // (ω Δt)²/4 = 0.25 % is the ripple of the method; the rest is rounding over 10⁵ steps.
    EXPECT_GT(low, 0.99);
    EXPECT_LT(high, 1.001);  // 2e-4
}

// B-96, B-92, G-06: errors after half a period are second order in the step, those of first-order methods first order.
TEST(ClothIntegration, convergenceOrdersMatchTheMethods) {
    const auto errorOf = [](ClothSolver solver, double steps) {
        Oscillator oscillator(solver);
        oscillator.cloth.params.tolerance = 1e-6f;
        const double duration = 1 / oscillator.omega;
        oscillator.cloth.params.maxTimeStep = static_cast<float>(1.0001 * duration / steps);
        const Scene scene = oscillator.scene();
        Simulator simulator(oneThread());
        simulator.restore(oscillator.stretched(0.02f), scene);
        simulator.advanceTo(scene, duration);
        return std::fabs((double(simulator.state().cloth.x[1].x) - 0.1) / 0.02 - std::cos(1.0));
    };
    const double verlet = std::log2(errorOf(ClothSolver::velocityVerlet, 8) / errorOf(ClothSolver::velocityVerlet, 16));
    const double euler = std::log2(errorOf(ClothSolver::implicitEuler, 32) / errorOf(ClothSolver::implicitEuler, 64));
    EXPECT_GT(verlet, 1.8);  // 2.01, of second order
    EXPECT_LT(verlet, 2.2);
    EXPECT_GT(euler, 0.85);  // 0.97, of first order
    EXPECT_LT(euler, 1.15);
}

// Largest speed after explicit steps from a small disturbance, in random directions or all along x.
double speedAfter(const Cloth& cloth, const Fabric& fabric, double dt, int steps, bool evenly = false) {
    const int count = fabric.count();
    std::vector<Vec3> x = cloth.points, v(cloth.points.size()), f(cloth.points.size());
    Buffer<Vec3> element(oneThread());
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k)
            v[i][k] = evenly ? (k == 0 ? 1e-4f : 0) : 1e-4f * (randomUnit(3, static_cast<uint64_t>(3 * i + k)) - 0.5f);
    const auto kick = [&] {
        internalForces(fabric, x.data(), v.data(), element, f.data());
        for (int i = 0; i < count; ++i) v[i] += static_cast<float>(0.5 * dt) * fabric.inverseMass[i] * f[i];
    };
    double most = 0;
    for (int step = 0; step < steps; ++step) {
        kick();
        for (size_t i = 0; i < x.size(); ++i)
            if (fabric.inverseMass[static_cast<int>(i)] > 0) x[i] += static_cast<float>(dt) * v[i];
        kick();
    }
    for (const Vec3& speed : v) most = isFinite(speed) ? std::max(most, double(length(speed))) : kUnbounded;
    return most;
}

// B-98: the bound adds all springs of a point as if parallel; the true limit is about 1.5 times as large.
TEST(ClothIntegration, stepLimitIsConservative) {
    Cloth cloth = test::levelCloth(20, 1);
    test::inVacuum(cloth).params.stretchStiffness = 100;
    cloth.params.bendStiffness = 1e-4f;
    const auto calm = [&](double share) {
        const Fabric fabric = test::fabricOf(cloth);
        return speedAfter(cloth, fabric, share * fabric.stepLimit(), 400) < 0.01;
    };
    EXPECT_TRUE(calm(1));
    EXPECT_FALSE(calm(1.8));
    cloth.params.damping = 2e-3f;
    cloth.params.bendDamping = 5e-3f;
    EXPECT_TRUE(calm(1));
}

// B-98: one mass on a spring is stable up to 2 √(m/k).
TEST(ClothIntegration, singleSpringIsStableUpToTwoRootMassOverStiffness) {
    const Oscillator oscillator(ClothSolver::velocityVerlet);
    const Fabric fabric = test::fabricOf(oscillator.cloth);
    const double limit = 2 / oscillator.omega;
    EXPECT_LT(speedAfter(oscillator.cloth, fabric, 0.995 * limit, 1000, true), 0.01);
    EXPECT_GT(speedAfter(oscillator.cloth, fabric, 1.005 * limit, 1000, true), 0.01);
    EXPECT_LE(fabric.stepLimit(), limit);
}

// B-99
TEST(ClothIntegration, implicitEulerIsStableAtAnyStep) {
    Cloth cloth = test::levelCloth(12, 0.3f);
    test::inVacuum(cloth).params.solver = ClothSolver::implicitEuler;
    cloth.params.maxTimeStep = 1 / 24.0f;
    cloth.params.tolerance = 1e-6f;
    const double mass = double(cloth.params.density) * 0.3 * 0.3 / 121;
    cloth.params.stretchStiffness = static_cast<float>(1e4 * mass * 24 * 24);  // k Δt²/m = 10⁴
    const Fabric fabric = test::fabricOf(cloth);
    std::vector<Vec3> x = cloth.points, v(x.size());
    for (size_t i = 0; i < v.size(); ++i) v[i] = {0, 0.2f * randomUnit(5, i), 0};
    ImplicitEuler implicit(oneThread());
    const ClothReport report = implicit.solve(fabric, 1 / 24.0f, 1e-6f, x.data(), v.data());
    EXPECT_LT(report.error, 1e-6);  // the tolerance of the solver
    test::pin(cloth, [](Vec3 p) { return p.x < -0.14f; });
    Simulator simulator(oneThread());
    const Scene scene = test::sceneOf(cloth);
    test::play(simulator, scene, 4);
    // m/s: 0.003.
    for (const Vec3& speed : simulator.state().cloth.v) EXPECT_LT(length(speed), 0.1);
}

}  // namespace
}  // namespace purl
