#include "solver/reference/integrators.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/solver/fluid/pressure/marching.h"

namespace purl {
namespace {

using test::falling;
using test::kIgnore;
using test::spring;

const auto kFinishVerlet = [](Particles& particles, const Timing& timing, Buffer<Vec3>& xBefore, Buffer<Vec3>&) {
    finishVerlet(particles, timing.dt, xBefore);
};
template <class Acceleration, class Visit>
Particles marchVerlet(Vec3 x0, Vec3 v0, double dt, int steps, Acceleration&& acceleration, Visit&& visit) {
    return test::march(Integrator::leapFrog, x0, v0, test::equalSteps(dt, steps), acceleration, kFinishVerlet, visit);
}

// K-15 K-31. A second's free fall in hundredths: exact for a constant acceleration; float positions round to a few
// parts in 10⁷ each step.
TEST(Verlet, isExactInFreeFall) { EXPECT_NEAR(marchVerlet({}, {}, 0.01, 100, falling, kIgnore).x[0].z, -4.91, 1e-5); }

// K-35. Nothing damps: 1 + 0·Δt is 1 to the bit.
TEST(Verlet, hasNoHiddenDamping) {
    const Particles end = marchVerlet(
        {}, {1, 0, 0}, 0.01, 10000, [](Vec3) { return Vec3{}; }, kIgnore);
    EXPECT_EQ(end.v[0], (Vec3{1, 0, 0}));
}

// K-33. The half velocity is brought along when the step's length changes, so that free fall stays exact.
TEST(Verlet, staysExactWhenTheStepChanges) {
    double time = 0;
    const Particles end =
        test::march(Integrator::leapFrog, {}, {}, std::vector<float>{0.01f, 0.02f, 0.005f, 0.005f, 0.04f, 0.02f},
                    falling, kFinishVerlet, [&](double now, const Particles&) { time = now; });
    EXPECT_NEAR(end.x[0].z, -0.5 * 9.82 * time * time, 1e-6);
}

// K-31
TEST(Verlet, keepsAnOscillatorsEnergyBounded) {
    double lowest = 1e9, highest = 0;
    marchVerlet({1, 0, 0}, {}, 0.05, 100000, spring, [&](double, const Particles& particles) {
        const double energy = 0.5 * (lengthSquared(particles.x[0]) + lengthSquared(particles.v[0]));
        lowest = std::min(lowest, energy);
        highest = std::max(highest, energy);
    });
    EXPECT_GT(lowest, 0.45);
    EXPECT_LT(highest, 0.55);
}

// Where a contact moved the particle, Verlet's velocity is what the positions say.
TEST(Verlet, takesItsVelocityFromPositions) {
    Particles particles = test::stateOf({{}}, {1, 0, 0}).particles;
    Buffer<Vec3> xBefore(test::oneThread()), vNew(test::oneThread());
    const Timing timing{0.5f, 0.5f, 1};
    integrate(particles, Integrator::leapFrog, timing, xBefore, vNew);
    EXPECT_EQ(particles.x[0], (Vec3{0.5f, 0, 0}));
    particles.x[0] = {0.25f, 0, 0};
    finishVerlet(particles, timing.dt, xBefore);
    EXPECT_EQ(particles.v[0], (Vec3{0.5f, 0, 0}));
    EXPECT_EQ(particles.vHalf[0], (Vec3{0.5f, 0, 0}));
}

// ---- velocity Verlet and Runge-Kutta ---------------------------------------------------------------------------

// One particle at x0, moved by acceleration(x, v); `evaluations` counts.
template <class Acceleration>
Particles marchAny(ReferenceIntegrator integrator, Vec3 x0, double dt, int steps, Acceleration&& acceleration,
                   int* evaluations = nullptr) {
    if (integrator == ReferenceIntegrator::verlet)
        return marchVerlet(
            x0, {}, dt, steps, [&](Vec3 x) { return acceleration(x, Vec3{}); }, kIgnore);
    Particles particles = test::stateOf({x0}).particles;
    Buffer<Vec3> xBefore(test::oneThread()), vNew(test::oneThread());
    RungeKutta stages(test::oneThread());
    const auto h = static_cast<float>(dt);
    const auto forces = [&](int) {
        if (evaluations) ++*evaluations;
        particles.a[0] = acceleration(particles.x[0], particles.v[0]);
    };
    if (integrator == ReferenceIntegrator::velocityVerlet) forces(0);
    for (int i = 0; i < steps; ++i) {
        if (integrator == ReferenceIntegrator::rungeKutta4) {
            rungeKutta4(particles, h, forces, stages, xBefore, vNew);
            storeVelocity(particles, vNew);
        } else {
            kickAndDrift(particles, h, xBefore, vNew);
            storeVelocity(particles, vNew);
            forces(0);
            kick(particles, h);
        }
    }
    return particles;
}

// log₂ of how much smaller the error is with half the step, on an oscillator after 4 s.
double orderOf(ReferenceIntegrator integrator, double dt) {
    const auto error = [&](double step) {
        const Particles end = marchAny(integrator, {1, 0, 0}, step, static_cast<int>(std::lround(4 / step)),
                                       [](Vec3 x, Vec3) { return spring(x); });
        // Verlet's velocity is of the step before; the others' is of the same moment and of the same order.
        const bool knowsVelocity =
            integrator == ReferenceIntegrator::velocityVerlet || integrator == ReferenceIntegrator::rungeKutta4;
        return std::hypot(double(end.x[0].x) - std::cos(4.0), knowsVelocity ? double(end.v[0].x) + std::sin(4.0) : 0);
    };
    return std::log2(error(dt) / error(dt / 2));
}

// B-93 B-95 B-96 O-27. Steps as long as floats need for the order to show.
TEST(ReferenceIntegrator, isOfItsOrder) {
    EXPECT_NEAR(orderOf(ReferenceIntegrator::verlet, 0.1), 2, 0.1);
    EXPECT_NEAR(orderOf(ReferenceIntegrator::velocityVerlet, 0.1), 2, 0.1);
    EXPECT_NEAR(orderOf(ReferenceIntegrator::rungeKutta4, 0.4), 4, 0.2);
}

// B-93. Four evaluations a step, also where forces depend on velocities: x'' = −x − c x', damped as it should be.
TEST(RungeKutta4, measuresForcesFourTimesAStepAndKeepsItsOrderWithDamping) {
    int evaluations = 0;
    const double c = 0.5, w = std::sqrt(1 - c * c / 4), t = 4;
    const double exact = std::exp(-c * t / 2) * (std::cos(w * t) + c / (2 * w) * std::sin(w * t));
    const auto error = [&](double dt) {
        const Particles end = marchAny(
            ReferenceIntegrator::rungeKutta4, {1, 0, 0}, dt, static_cast<int>(std::lround(t / dt)),
            [&](Vec3 x, Vec3 v) { return -x - float(c) * v; }, &evaluations);
        return std::fabs(double(end.x[0].x) - exact);
    };
    const double coarse = error(0.4);
    EXPECT_EQ(evaluations, 40);
    EXPECT_NEAR(std::log2(coarse / error(0.2)), 4, 0.3);
}

// B-96
TEST(VelocityVerlet, keepsAnOscillatorsEnergyWithinAPercent) {
    Particles particles = test::stateOf({{1, 0, 0}}).particles;
    Buffer<Vec3> xBefore(test::oneThread()), vNew(test::oneThread());
    particles.a[0] = spring(particles.x[0]);
    double lowest = 1e9, highest = 0;
    for (int i = 0; i < 100000; ++i) {
        kickAndDrift(particles, 0.1f, xBefore, vNew);
        storeVelocity(particles, vNew);
        particles.a[0] = spring(particles.x[0]);
        kick(particles, 0.1f);
        const double energy = 0.5 * (lengthSquared(particles.x[0]) + lengthSquared(particles.v[0]));
        lowest = std::min(lowest, energy);
        highest = std::max(highest, energy);
    }
    EXPECT_GT(lowest, 0.495);
    EXPECT_LT(highest, 0.505);
}

// ---- in the solver ---------------------------------------------------------------------------------------------

Scene waterBlock() {
    Scene scene = test::wcsphScene();
    Fluid water = test::dampedWater("water");
    water.volumes = {boxMesh({-0.06f, 0, -0.06f}, {0.06f, 0.12f, 0.06f})};
    scene.fluids = {water};
    return scene;
}

// B-93 B-96. In the air a block falls as each scheme says, and Runge-Kutta has measured forces four times a step.
TEST(ReferenceIntegrator, letsABlockFall) {
    for (const ReferenceIntegrator integrator :
         {ReferenceIntegrator::verlet, ReferenceIntegrator::velocityVerlet, ReferenceIntegrator::rungeKutta4}) {
        Scene scene = waterBlock();
        scene.solver.reference.integrator = integrator;
        scene.solver.maxTimeStep = 0.001f;
        Simulator simulator(test::oneThread());
        simulator.reset(scene);
        simulator.clearTimings();
        const Frame& frame = simulator.advanceTo(scene, 0.1);
        double mean = 0;
        for (const Vec3 x : frame.points.positions) mean += x.y;
        mean /= double(frame.points.count());
        EXPECT_NEAR(mean, 0.06 - 0.5 * 9.81 * 0.01, 2e-5);
        for (const PhaseTime& phase : simulator.timings()) {
            if (phase.phase == "applyForces") {
                EXPECT_EQ(phase.calls, integrator == ReferenceIntegrator::rungeKutta4 ? 400 : 100);
            }
        }
    }
}

// B-96. In a tank under contact alone, wcsph never comes quite to rest; the finer schemes stir it less than leap-frog.
TEST(ReferenceIntegrator, stirsATankNoMoreThanLeapFrog) {
    const auto energyOf = [](ReferenceIntegrator integrator) {
        Scene scene = waterBlock();
        scene.solver.reference.integrator = integrator;
        scene.colliders = {test::boxCollider({-0.06f, 0, -0.06f}, {0.06f, 1, 0.06f})};
        Simulator simulator(test::oneThread());
        double mean = 0;
        for (int i = 1; i <= 50; ++i) mean += simulator.advanceTo(scene, 0.02 * i).stats.kineticEnergy / 50;
        EXPECT_LT(simulator.frame().stats.meanCompression, 1.1);
        for (const Vec3 x : simulator.frame().points.positions) EXPECT_TRUE(std::fabs(x.x) <= 0.0601f && x.y >= -1e-4f);
        return mean;
    };
    const double leapFrog = energyOf(ReferenceIntegrator::none);
    // The motion is chaotic: tanks wider by 0.1 and 0.2 mm give leap-frog 0.45 to 0.49 J, Verlet 0.45 to 0.53.
    EXPECT_LT(energyOf(ReferenceIntegrator::velocityVerlet), 1.25 * leapFrog);
    EXPECT_LT(energyOf(ReferenceIntegrator::rungeKutta4), 1.1 * leapFrog);  // 0.35 to 0.37 J
}

}  // namespace
}  // namespace purl
