#include "solver/fluid/integrate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/solver/testScenes.h"

namespace purl {
namespace {

// One particle at x0 with v0, moved `steps` times by `acceleration(x)`; visit(time, particle) after each.
template <class Acceleration, class Visit>
Particles march(Integrator integrator, Vec3 x0, Vec3 v0, double dt, int steps, Acceleration&& acceleration,
                Visit&& visit) {
    Particles particles = test::stateOf({x0}, v0).particles;
    Buffer<Vec3> xBefore(test::oneThread()), vNew(test::oneThread());
    Timing timing;
    timing.dt = static_cast<float>(dt);
    timing.firstNewId = 1;
    for (int i = 0; i < steps; ++i) {
        particles.a[0] = acceleration(particles.x[0]);
        integrate(particles, integrator, timing, xBefore, vNew);
        finishVelocity(particles, integrator, timing, xBefore, vNew);
        timing.lastStep = timing.dt;
        visit((i + 1) * dt, particles);
    }
    return particles;
}
const auto kIgnore = [](double, const Particles&) {};
Vec3 falling(Vec3) { return {0, 0, -9.82f}; }
Vec3 spring(Vec3 x) { return -x; }

// K-15 K-30 K-31 K-32. A second's free fall in hundredths. Leap-frog and Verlet are exact for a constant acceleration;
// float positions round to a few parts in 10⁷ each step.
TEST(Integrate, freeFallIsWhatEachSchemeSays) {
    const auto fall = [](Integrator integrator) {
        return march(integrator, {}, {}, 0.01, 100, falling, kIgnore).x[0].z;
    };
    EXPECT_NEAR(fall(Integrator::leapFrog), -4.91, 1e-5);
    EXPECT_NEAR(fall(Integrator::verlet), -4.91, 1e-5);
    EXPECT_NEAR(fall(Integrator::semiImplicitEuler), -4.9591, 1e-5);
}

// K-32. After a time not a multiple of the period, the error falls fourfold when the step halves; without the half
// velocity's start (4.67) only twofold.
TEST(LeapFrog, isOfSecondOrder) {
    const auto error = [](double dt, float head) {
        const int steps = static_cast<int>(std::lround(4 / dt));
        // head shifts the start: at dt/2 it undoes (4.67).
        const Particles end =
            march(Integrator::leapFrog, {1, 0, 0}, {head * float(dt) * -1.0f, 0, 0}, dt, steps, spring, kIgnore);
        return std::fabs(end.x[0].x - std::cos(4.0));
    };
    EXPECT_NEAR(error(0.1, 0) / error(0.05, 0), 4, 0.3);
    EXPECT_NEAR(error(0.1, 0.5f) / error(0.05, 0.5f), 2, 0.3);
}

// K-31
TEST(Verlet, keepsAnOscillatorsEnergyBounded) {
    double lowest = 1e9, highest = 0;
    march(Integrator::verlet, {1, 0, 0}, {}, 0.05, 100000, spring, [&](double, const Particles& particles) {
        const double energy = 0.5 * (lengthSquared(particles.x[0]) + lengthSquared(particles.v[0]));
        lowest = std::min(lowest, energy);
        highest = std::max(highest, energy);
    });
    EXPECT_GT(lowest, 0.45);
    EXPECT_LT(highest, 0.55);
}

// K-35. No scheme damps: 1 + 0·Δt is 1 to the bit.
TEST(Integrate, hasNoHiddenDamping) {
    for (const Integrator integrator : {Integrator::leapFrog, Integrator::semiImplicitEuler, Integrator::verlet}) {
        const Particles end = march(
            integrator, {}, {1, 0, 0}, 0.01, 10000, [](Vec3) { return Vec3{}; }, kIgnore);
        EXPECT_EQ(end.v[0], (Vec3{1, 0, 0}));
    }
}

// K-33. The half velocity is brought along when the step's length changes, so that free fall stays exact.
TEST(LeapFrog, staysExactWhenTheStepChanges) {
    for (const Integrator integrator : {Integrator::leapFrog, Integrator::verlet}) {
        Particles particles = test::stateOf({{}}).particles;
        Buffer<Vec3> xBefore(test::oneThread()), vNew(test::oneThread());
        Timing timing;
        timing.firstNewId = 1;
        double time = 0;
        for (const float dt : {0.01f, 0.02f, 0.005f, 0.005f, 0.04f, 0.02f}) {
            timing.dt = dt;
            particles.a[0] = falling({});
            integrate(particles, integrator, timing, xBefore, vNew);
            finishVelocity(particles, integrator, timing, xBefore, vNew);
            timing.lastStep = dt;
            time += double(dt);
        }
        EXPECT_NEAR(particles.x[0].z, -0.5 * 9.82 * time * time, 1e-6);
    }
}

// A particle that comes in during a run starts by (4.67) while the others go on.
TEST(LeapFrog, startsNewParticlesByThemselves) {
    Particles particles = test::stateOf({{}, {}}, {0, 0, 1}).particles;
    particles.a[0] = particles.a[1] = falling({});
    Buffer<Vec3> xBefore(test::oneThread()), vNew(test::oneThread());
    integrate(particles, Integrator::leapFrog, {0.01f, 0.01f, 1}, xBefore, vNew);
    EXPECT_FLOAT_EQ(vNew[0].z, 1 - 0.0982f);
    EXPECT_FLOAT_EQ(vNew[1].z, 1 - 0.0491f);
}

// Where a contact moved the particle, Verlet's velocity is what the positions say.
TEST(Verlet, takesItsVelocityFromPositions) {
    Particles particles = test::stateOf({{}}, {1, 0, 0}).particles;
    Buffer<Vec3> xBefore(test::oneThread()), vNew(test::oneThread());
    const Timing timing{0.5f, 0.5f, 1};
    integrate(particles, Integrator::verlet, timing, xBefore, vNew);
    EXPECT_EQ(particles.x[0], (Vec3{0.5f, 0, 0}));
    particles.x[0] = {0.25f, 0, 0};
    finishVelocity(particles, Integrator::verlet, timing, xBefore, vNew);
    EXPECT_EQ(particles.v[0], (Vec3{0.5f, 0, 0}));
    EXPECT_EQ(particles.vHalf[0], (Vec3{0.5f, 0, 0}));
}

}  // namespace
}  // namespace purl
