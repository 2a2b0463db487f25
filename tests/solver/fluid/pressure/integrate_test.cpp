#include "solver/fluid/pressure/integrate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/solver/fluid/pressure/marching.h"

namespace purl {
namespace {

using test::falling;
using test::kIgnore;
using test::spring;

template <class Lengths, class Acceleration, class Visit>
Particles marchBy(Integrator integrator, Vec3 x0, Vec3 v0, const Lengths& lengths, Acceleration&& acceleration,
                  Visit&& visit) {
    const auto finish = [&](Particles& particles, const Timing&, Buffer<Vec3>&, Buffer<Vec3>& vNew) {
        finishVelocity(particles, integrator, vNew);
    };
    return test::march(integrator, x0, v0, lengths, acceleration, finish, visit);
}
template <class Acceleration, class Visit>
Particles march(Integrator integrator, Vec3 x0, Vec3 v0, double dt, int steps, Acceleration&& acceleration,
                Visit&& visit) {
    return marchBy(integrator, x0, v0, test::equalSteps(dt, steps), acceleration, visit);
}

// K-15 K-30 K-32. A second's free fall in hundredths. Leap-frog is exact for a constant acceleration;
// float positions round to a few parts in 10⁷ each step.
TEST(Integrate, freeFallIsWhatEachSchemeSays) {
    const auto fall = [](Integrator integrator) {
        return march(integrator, {}, {}, 0.01, 100, falling, kIgnore).x[0].z;
    };
    EXPECT_NEAR(fall(Integrator::leapFrog), -4.91, 1e-5);
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

// K-35. No scheme damps: 1 + 0·Δt is 1 to the bit.
TEST(Integrate, hasNoHiddenDamping) {
    for (const Integrator integrator : {Integrator::leapFrog, Integrator::semiImplicitEuler}) {
        const Particles end = march(
            integrator, {}, {1, 0, 0}, 0.01, 10000, [](Vec3) { return Vec3{}; }, kIgnore);
        EXPECT_EQ(end.v[0], (Vec3{1, 0, 0}));
    }
}

// K-33. The half velocity is brought along when the step's length changes, so that free fall stays exact.
TEST(LeapFrog, staysExactWhenTheStepChanges) {
    double time = 0;
    const Particles end =
        marchBy(Integrator::leapFrog, {}, {}, std::vector<float>{0.01f, 0.02f, 0.005f, 0.005f, 0.04f, 0.02f}, falling,
                [&](double now, const Particles&) { time = now; });
    EXPECT_NEAR(end.x[0].z, -0.5 * 9.82 * time * time, 1e-6);
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

// B-92 O-27. log₂ of how much smaller the error is with half the step, on an oscillator after 4 s.
TEST(SemiImplicitEuler, isOfFirstOrder) {
    const auto error = [](double dt) {
        const int steps = static_cast<int>(std::lround(4 / dt));
        const Particles end = march(Integrator::semiImplicitEuler, {1, 0, 0}, {}, dt, steps, spring, kIgnore);
        return std::fabs(double(end.x[0].x) - std::cos(4.0));
    };
    EXPECT_NEAR(std::log2(error(0.0125) / error(0.00625)), 1, 0.15);
}

// ---- in the solver ---------------------------------------------------------------------------------------------

Scene waterBlock() {
    Scene scene = test::wcsphScene();
    Fluid water = test::dampedWater("water");
    water.volumes = {boxMesh({-0.06f, 0, -0.06f}, {0.06f, 0.12f, 0.06f})};
    scene.fluids = {water};
    return scene;
}

// In the air a block falls as each scheme says.
TEST(Integrate, everySchemeLetsABlockFall) {
    for (const Integrator integrator : {Integrator::leapFrog, Integrator::semiImplicitEuler}) {
        Scene scene = waterBlock();
        scene.solver.wcsph.integrator = integrator;
        scene.solver.maxTimeStep = 0.001f;
        Simulator simulator(test::oneThread());
        simulator.reset(scene);
        const Frame& frame = simulator.advanceTo(scene, 0.1);
        double mean = 0;
        for (const Vec3 x : frame.points.positions) mean += x.y;
        mean /= double(frame.points.count());
        EXPECT_NEAR(mean, 0.06 - 0.5 * 9.81 * 0.01, integrator == Integrator::semiImplicitEuler ? 6e-4 : 2e-5);
    }
}

// ---- step lengths -----------------------------------------------------------------------------------------------

// B-97. wcsph chooses its steps by h/|v| and √(h/|a|), between minTimeStep and what stiffness allows.
TEST(StepLength, ofWcsphFollowsSpeedAndAcceleration) {
    const auto stepAt = [](float speed, float gravity, float minStep) {
        Scene scene = waterBlock();
        scene.solver.gravity = gravity;
        scene.solver.minTimeStep = minStep;
        scene.fluids[0].params.stiffness = 0;  // particles that fly side by side
        scene.fluids[0].params.viscosity = scene.fluids[0].params.surfaceTension = 0;
        scene.fluids[0].params.startVelocity = {speed, 0, 0};
        Simulator simulator(test::oneThread());
        return simulator.advanceTo(scene, speed > 0 ? 0.2 : 0.02).stats.stepLength;
    };
    const double h = supportRadius(FluidParams{});
    EXPECT_NEAR(stepAt(20, 0, 0), h / 20, 0.1 * h / 20);
    EXPECT_NEAR(stepAt(20, 0, 0) / stepAt(200, 0, 0), 10, 0.5);
    EXPECT_NEAR(stepAt(0, 1000, 0), std::sqrt(h / 1000), 0.5 * std::sqrt(h / 1000));
    EXPECT_LE(stepAt(0, 1000, 0), std::sqrt(h / 1000) * 1.0001);
    EXPECT_NEAR(stepAt(200, 0, 0.001f), 0.001, 1e-5) << "no shorter than minTimeStep";
}

// B-97 L-87. Who sets the step is told, once and by the parameter's name, when particles outrun it.
TEST(StepLength, outsideItsLimitIsAWarningThatNamesTheParameter) {
    const auto warningOf = [](float maxStep, float minStep, float cfl) -> std::string {
        Scene scene = waterBlock();
        scene.solver.gravity = 0;
        scene.solver.maxTimeStep = maxStep;
        scene.solver.minTimeStep = minStep;
        scene.solver.cfl = cfl;
        scene.fluids[0].params.stiffness = 1;
        scene.fluids[0].params.startVelocity = {50, 0, 0};
        Simulator simulator(test::oneThread());
        simulator.advanceTo(scene, 0.02);
        simulator.advanceTo(scene, 0.04);
        EXPECT_LE(simulator.warnings().size(), 1u);
        return simulator.warnings().empty() ? "" : simulator.warnings()[0];
    };
    EXPECT_EQ(warningOf(0, 1e-5f, 0.2f), "");
    EXPECT_NE(warningOf(0.01f, 1e-5f, 0.2f).find("smaller maxTimeStep"), std::string::npos);
    EXPECT_NE(warningOf(0, 0.01f, 0.2f).find("smaller minTimeStep"), std::string::npos);
    EXPECT_NE(warningOf(0, 1e-5f, 0).find("cfl above 0"), std::string::npos);
}

}  // namespace
}  // namespace purl
