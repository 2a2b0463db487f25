#include "solver/cloth/immersion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solver/cache/stateFile.h"
#include "solver/cloth/forces.h"
#include "tests/solver/cloth/cloths.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using test::oneThread;

// Immersed, but without drag, added mass and damping.
Cloth immersed(int n, float edge, Vec3 center = {}) {
    Cloth cloth = test::levelCloth(n, edge, center);
    ClothParams& params = test::inVacuum(cloth).params;
    params.immersion = 1;
    params.addedMass = params.normalDrag = params.historyDrag = params.fluidViscosity = 0;
    params.maxTimeStep = 0.005f;
    return cloth;
}

Vec3 meanOf(const Buffer<Vec3>& values) {
    double sum[3] = {};
    for (const Vec3& value : values)
        for (int k = 0; k < 3; ++k) sum[k] += double(value[k]) / values.size();
    return {float(sum[0]), float(sum[1]), float(sum[2])};
}

Vec3 velocityAfter(const Scene& scene, double time) {
    Simulator simulator(oneThread());
    simulator.advanceTo(scene, time);
    return meanOf(simulator.state().cloth.v);
}

// O-17, O-37
TEST(Immersion, buoyancyReducesGravityAndAddedMassIncreasesInertia) {
    Cloth cloth = immersed(4, 0.3f);
    for (const float density : {900.0f, 1050.0f, 1540.0f})
        for (const float added : {0.0f, 0.5f}) {
            cloth.params.wetDensity = density;
            cloth.params.addedMass = added;
            const double volume = 1 / double(density);  // of a kilogram
            const double expected = -9.81 * (double(density) - 1000) * volume / (1 + double(added) * 1000 * volume);
            // 5e-7 m/s²: rounding.
            EXPECT_NEAR(velocityAfter(test::sceneOf(cloth), 0.01).y / 0.01, expected, 1e-5 * std::fabs(expected));
        }
}

// O-18: after a hundred steps, for every solver.
TEST(Immersion, floatsHoversOrSinksByDensity) {
    for (const test::SolverChoice& solver : test::kEverySolver) {
        const auto rise = [&](float density) {
            Cloth cloth = immersed(4, 0.3f);
            solver.applyTo(cloth.params);
            cloth.params.damping = 1e-4f;
            cloth.params.wetDensity = density;
            Simulator simulator(oneThread());
            simulator.advanceTo(test::sceneOf(cloth), 0.5);
            return meanOf(simulator.state().cloth.x).y;
        };
        EXPECT_GT(rise(900), 0.05f);  // m: 0.14
        EXPECT_NEAR(rise(1000), 0, 1e-6);
        EXPECT_LT(rise(1100), -0.05f);  // m: 0.11
    }
}

// O-20: drag acts along the velocity, not the normal.
TEST(Immersion, viscousDragIsIsotropic) {
    Cloth cloth = immersed(4, 0.3f);
    cloth.params.fluidViscosity = 0.001f;
    cloth.params.startVelocity = {0.5f, 1, -0.2f};
    Scene scene = test::sceneOf(cloth);
    scene.solver.gravity = 0;
    // k A/m = 2 · 0.001/0.001/0.15 1/s
    const double left = std::exp(-0.1 * 2 / 0.15);
    const Vec3 v = velocityAfter(scene, 0.1);
    // 8e-7: rounding.
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(v[k], left * double(cloth.params.startVelocity[k]), 1e-5) << k;
}

// O-24: sliding in plane has no normal drag; motion across is slowed by the square of its speed, v = v₀/(1 + ½ ρ C v₀ t
// A/m).
TEST(Immersion, normalDragIsQuadraticInSpeed) {
    Cloth cloth = immersed(4, 0.3f);
    cloth.params.normalDrag = 1.2f;
    cloth.params.startVelocity = {0.7f, 0.2f, 0};
    Scene scene = test::sceneOf(cloth);
    scene.solver.gravity = 0;
    const Vec3 v = velocityAfter(scene, 0.05);
    EXPECT_NEAR(v.x, 0.7, 1e-6);                                  // rounding
    EXPECT_NEAR(v.y, 0.2 / (1 + 600 * 0.2 * 0.05 / 0.15), 1e-6);  // rounding
}

// O-19: the cloth accelerates up to the speed of the current.
TEST(Immersion, currentCarriesTheCloth) {
    Cloth cloth = immersed(5, 0.3f);
    cloth.params.fluidViscosity = 0.001f;
    cloth.params.historyDrag = 1;
    cloth.params.current = {0.3f, 0, 0.1f};
    cloth.params.wetDensity = 1000;
    const Scene scene = test::sceneOf(cloth);
    // Initially k A U/m, apart from history drag: 13 1/s of 0.3 m/s.
    EXPECT_NEAR(velocityAfter(scene, 0.005).x, 0.005 * 13.3 * 0.3, 0.4 * 0.005 * 13.3 * 0.3);
    const Vec3 late = velocityAfter(scene, 2);
    EXPECT_NEAR(late.x, 0.3, 1e-3);  // m/s: 1e-5 off
    EXPECT_NEAR(late.z, 0.1, 1e-3);
}

// History drag alone, on one point of 1 kg and 1 m² that moves in plane.
Vec3 afterHistoryDrag(Vec3 v, Vec3 pastVelocity, const FractionalDamping& damping, float dt, Vec3 current = {}) {
    const int starts[] = {0, 0};
    const float one[] = {1};
    const Vec3 x{};
    FluidDrag{{starts, 2},
              {starts, 0},
              {one, 1},
              {one, 1},
              current,
              0,
              0,
              2,
              float(damping.currentWeight),
              float(damping.steadyGain),
              dt,
              &pastVelocity,
              &x,
              &v}(0);
    return v;
}

// O-21: at constant velocity D^½x = G v. The gain of three past samples with trapezoid weights, and the paper's rule,
// 1.991814 √Δt; the drag is implicit in the newest velocity, hence the factor of 1 + r.
TEST(Immersion, historyDragAtConstantVelocityIsTheSteadyGain) {
    const float dt = 0.001f;
    const FractionalDamping damping = makeFractionalDamping(0.5, 3, 100, double(dt));
    EXPECT_NEAR(damping.steadyGain, (std::pow(4, 1.5) - std::pow(3, 1.5)) / std::tgamma(2.5) * std::sqrt(0.001), 1e-8);
    EXPECT_NEAR(simpsonWeights(4, 100).steadyGain(1), 1.991814, 1e-6);  // the six decimals given
    const Vec3 v{0.3f, -0.2f, 0.1f};
    const Vec3 before = static_cast<float>(damping.steadyGain / damping.currentWeight - 1) * v;
    const Vec3 after = afterHistoryDrag(v, before, damping, dt);
    const float force = 2 * static_cast<float>(damping.steadyGain);
    EXPECT_NEAR(length((v - after) / dt - force * v), 0, 1e-3f * force);  // rounding over the step
    // None when moving with the current.
    EXPECT_NEAR(length(afterHistoryDrag(v, before, damping, dt, v) - v), 0, 1e-7);
}

// O-21
TEST(Immersion, historyDragPushesForwardAfterAReversalAndNotAtRest) {
    const FractionalDamping damping = makeFractionalDamping(0.5, 3, 100, 0.001);
    const Vec3 v{0.1f, 0, 0}, before{-2, 0, 0};
    EXPECT_GT(afterHistoryDrag(v, before, damping, 0.001f).x, v.x);
    EXPECT_EQ(afterHistoryDrag({}, before, damping, 0.001f), Vec3{});
}

// O-22, O-110: fractional damping of a strip's springs: forces cancel in pairs, common motion causes none, and they act
// along the springs.
TEST(Immersion, fractionalSpringForcesAreInternal) {
    Cloth cloth = test::gridCloth(2, 8, {}, {0.02f, 0, 0}, {0, 0.14f, 0});
    cloth.params.bendStiffness = 0;
    Fabric fabric(oneThread());
    fabric.set(cloth, {cloth.points.data(), 16});
    fabric.setDampingTimes(0.01f, 0.01f);
    Buffer<Vec3> element(oneThread());
    std::vector<Vec3> alike(16, Vec3{0.3f, 0.7f, -0.2f}), apart(16), sum(16);
    internalForces(fabric, cloth.points.data(), alike.data(), element, sum.data());
    for (const Vec3& f : sum) EXPECT_NEAR(length(f), 0, 1e-5);
    for (size_t i = 0; i < 16; ++i) apart[i] = {randomUnit(1, i), randomUnit(2, i), randomUnit(3, i)};
    internalForces(fabric, cloth.points.data(), apart.data(), element, sum.data());
    Vec3 total;
    for (const Vec3& f : sum) total += f;
    EXPECT_NEAR(length(total), 0, 1e-5);  // N: rounding of the sum
    for (int s = 0; s < fabric.springs.size(); ++s) {
        const Spring& spring = fabric.springs[s];
        const Vec3 along = cloth.points[spring.a] - cloth.points[spring.b];
        EXPECT_NEAR(length(cross(element[s], normalized(along))), 0, 1e-5f * length(element[s]) + 1e-7f);
    }
}

// O-23: in air the order is 1, and the damping that of a dashpot.
TEST(Immersion, orderFallsFromDashpotToHalfWithImmersion) {
    ClothParams params;
    EXPECT_EQ(dampingOrder(params), 1);
    EXPECT_EQ(FractionalDamping{}.dampingTime(0.0123f, 1), 0.0123f);
    params.immersion = 1;
    EXPECT_EQ(dampingOrder(params), 0.5);
    // Almost in air: almost a dashpot with hardly any history.
    const FractionalDamping slight = makeFractionalDamping(0.999, 10, 100, 0.004);
    EXPECT_NEAR(slight.dampingTime(0.0123f, 0.999), 0.0123, 2e-4);
    double past = 0;
    for (const double weight : slight.past.perLag) past += weight;
    EXPECT_LT(past, 0.01);
}

// A mass on a spring with half-order damping:   m x″ + k √dampingTime D^½x + k x = 0. Reference solution in double with
// the full history; every solver must match it.
double halfDerivativeOscillator(double omega, double dampingTime, double time, int steps) {
    const double dt = time / steps;
    std::vector<double> v{0};
    double x = 1;
    for (int n = 0; n < steps; ++n) {
        const HistoryWeights weights = trapezoidWeights(0.5, n + 2, n + 1);
        double past = 0;
        for (int k = 1; k <= n + 1; ++k) past += weights.perLag[k] * v[v.size() - size_t(k)];
        const double d = std::sqrt(dampingTime * dt), b = omega * omega;
        const double next = (v.back() - dt * b * (x + d * past)) / (1 + dt * b * (d * weights.perLag[0] + dt));
        x += dt * next;
        v.push_back(next);
    }
    return x;
}

TEST(Immersion, everySolverDampsByTheSameHalfDerivative) {
    for (const ClothSolver solver : {ClothSolver::xpbd, ClothSolver::implicitEuler, ClothSolver::velocityVerlet}) {
        Cloth cloth = test::gridCloth(2, 2, {}, {0.1f, 0, 0}, {0, 0.1f, 0});
        ClothParams& params = test::inVacuum(cloth).params;
        params.solver = solver;
        params.shearStiffness = params.bendStiffness = 0;
        params.stretchStiffness = 2;
        params.damping = 0.002f;
        params.immersion = 1;
        params.fluidDensity = params.fluidViscosity = 0;
        params.memory = 10;
        params.tolerance = 1e-6f;
        params.iterations = 20;
        params.maxTimeStep = 5e-4f;
        test::pin(cloth, [](Vec3 p) { return p.x < 0.01f; });
        Scene scene = test::sceneOf(cloth);
        scene.solver.gravity = 0;
        Simulator simulator(oneThread());
        simulator.reset(scene);
        State state = simulator.state();
        for (const int i : {1, 3}) state.cloth.x[i].x += 0.01f;
        simulator.restore(state, scene);
        const double omega = std::sqrt(1 / (0.25 * 0.15 * 0.01)), time = 0.1;  // period 82 ms
        simulator.advanceTo(scene, time);
        const double expected = halfDerivativeOscillator(omega, 0.002, time, 4000);
        // First order in the step: 0.5 % of the amplitude per step and period, with a factor of two.
        EXPECT_NEAR((double(simulator.state().cloth.x[1].x) - 0.1) / 0.01, expected, 0.05)
            << choicesOf(solver)[static_cast<size_t>(solver)];
        EXPECT_LT(std::fabs(expected), 0.6);
    }
}

// With the same gain at constant velocity, the number of samples changes the shape by less than a millimetre. Özgen
// found a smaller effect from three to six samples than from one to three; here it is 0.3 mm against 0.1 mm.
TEST(Immersion, historyLengthHardlyMattersAtEqualGain) {
    const auto shape = [](int samples) {
        Cloth cloth = test::gridCloth(9, 13, {}, {0.2f, 0, 0}, {0, -0.3f, 0});
        ClothParams& params = cloth.params;
        params.immersion = 1;
        params.maxTimeStep = 1 / 240.0f;
        params.memory = float(samples) * params.maxTimeStep;
        // The same gain at constant velocity for any number of samples.
        const auto steadyGain = float(makeFractionalDamping(0.5, samples, 1000, double(params.maxTimeStep)).steadyGain);
        params.historyDrag = 0.2f / steadyGain;
        params.bendDamping = square(0.01f / steadyGain);
        test::pin(cloth, [](Vec3 p) { return p.y > -0.01f; });
        Scene scene = test::sceneOf(cloth);
        Simulator simulator(oneThread());
        simulator.reset(scene);
        for (int frame = 1; frame <= 48; ++frame) {
            for (size_t i = 0; i < cloth.points.size(); ++i)
                scene.cloths[0].points[i].z = 0.1f * std::sin(0.26f * float(frame));
            simulator.advanceTo(scene, frame / 24.0);
        }
        return simulator.state().cloth.x;
    };
    const auto apart = [](const Buffer<Vec3>& one, const Buffer<Vec3>& other) {
        double sum = 0;
        for (int i = 0; i < one.size(); ++i) sum += double(lengthSquared(one[i] - other[i]));
        return std::sqrt(sum / one.size());
    };
    const auto one = shape(1), three = shape(3), six = shape(6);
    EXPECT_GT(apart(one, three), 0);
    EXPECT_LT(apart(one, three), 1e-3);  // m: 1.5e-4
    EXPECT_LT(apart(three, six), 1e-3);  // m: 3e-4
}

// The history is part of the state: saved, hashed and resumed; without it the motion differs.
TEST(Immersion, historyIsSavedWithTheState) {
    Cloth cloth = test::levelCloth(8, 0.4f);
    test::pin(cloth, [](Vec3 p) { return p.x < -0.19f; });
    cloth.params.immersion = 1;
    cloth.params.bendDamping = 0.05f;
    const Scene scene = test::sceneOf(cloth);
    Simulator whole(oneThread()), part(oneThread()), rest(oneThread()), forgetful(oneThread());
    const uint64_t expected = test::play(whole, scene, 1).stateHash;
    test::play(part, scene, 0.5);
    const std::string path = testing::TempDir() + "immersed.purl";
    saveState(part.state(), path);
    rest.restore(loadState(path, oneThread()), scene);
    EXPECT_EQ(test::play(rest, scene, 1).stateHash, expected);
    State without = part.state();
    clearHistory(without.cloth.past, without.cloth.clock);
    forgetful.restore(without, scene);
    EXPECT_NE(test::play(forgetful, scene, 1).stateHash, expected);
    // No history is kept out of the water.
    Scene dry = scene;
    dry.cloths[0].params.immersion = 0;
    test::play(rest, dry, 1.1);
    EXPECT_EQ(rest.state().cloth.past.values.size(), 0);
}

// At immersion 0 the other water parameters have no effect, bitwise.
TEST(Immersion, zeroImmersionIgnoresWaterParameters) {
    Cloth cloth = test::levelCloth(8, 0.4f);
    test::pin(cloth, [](Vec3 p) { return p.x < -0.19f; });
    Simulator plain(oneThread()), other(oneThread());
    const uint64_t expected = test::play(plain, test::sceneOf(cloth), 0.5).stateHash;
    cloth.params.addedMass = 3;
    cloth.params.fluidDensity = 2000;
    cloth.params.current = {1, 2, 3};
    cloth.params.memory = 1;
    EXPECT_EQ(test::play(other, test::sceneOf(cloth), 0.5).stateHash, expected);
}

TEST(Immersion, sameBitsForAnyNumberOfThreads) {
    uint64_t hashes[2] = {};
    for (const int threads : {1, 2}) {
        Cloth cloth = test::levelCloth(40, 0.8f);
        test::pin(cloth, [](Vec3 p) { return p.x < -0.39f; });
        cloth.params.immersion = 0.7f;
        cloth.params.current = {0.2f, 0, 0.3f};
        Simulator simulator(Device::cpu(threads));
        hashes[threads - 1] = simulator.advanceTo(test::sceneOf(cloth), 0.05).stateHash;
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

// O-32: a ball moves through the hanging sheet; no point is inside, and the wave persists.
TEST(Immersion, ballEntersTheSheetWithoutPenetration) {
    Cloth cloth = test::gridCloth(15, 21, {-0.2f, 0, 0}, {0.4f, 0, 0}, {0, -0.6f, 0});
    cloth.params.immersion = 1;
    test::pin(cloth, [](Vec3 p) { return p.y > -0.01f; });
    Scene scene = test::sceneOf(cloth);
    Collider ball;
    ball.name = "ball";
    ball.params.shape = ColliderShape::sphere;
    ball.params.radius = 0.1f;
    scene.colliders.push_back(ball);
    Simulator simulator(oneThread());
    double most = 0;
    for (int frame = 0; frame <= 48; ++frame) {
        const Vec3 at{0, -0.3f, 0.5f - 0.015f * float(frame)};
        scene.colliders[0].pose.position = at;
        simulator.advanceTo(scene, frame / 24.0);
        for (const Vec3& x : simulator.state().cloth.x) {
            EXPECT_GT(length(x - at), 0.1f);  // 0.102: half of its thickness off the ball
            most = std::max(most, -double(x.z));
        }
    }
    EXPECT_GT(most, 0.1);
}

// A cloth that follows its animated mesh: closely in air, with delay and damped under water.
TEST(Immersion, followsCachedMotionWithDelayUnderWater) {
    const auto swing = [](float immersion) {
        Cloth cloth = test::gridCloth(5, 9, {}, {0.1f, 0, 0}, {0, -0.2f, 0});
        cloth.params.follow = 20;
        cloth.params.immersion = immersion;
        Scene scene = test::sceneOf(cloth);
        Simulator simulator(oneThread());
        simulator.reset(scene);
        double sine = 0, cosine = 0;
        for (int frame = 1; frame <= 96; ++frame) {
            const double phase = 2 * kPi * frame / 24;
            for (size_t i = 0; i < cloth.points.size(); ++i)
                scene.cloths[0].points[i].z = 0.05f * float(std::sin(phase));
            simulator.advanceTo(scene, frame / 24.0);
            if (frame <= 48) continue;
            const double z = double(meanOf(simulator.state().cloth.x).z);
            sine += z * std::sin(phase) / 24;
            cosine += z * std::cos(phase) / 24;
        }
        return Vec3{float(std::hypot(sine, cosine)), float(std::atan2(-cosine, sine)), 0};
    };
    const Vec3 air = swing(0), water = swing(1);
    EXPECT_NEAR(air.x, 0.05, 0.005);
    EXPECT_LT(std::fabs(air.y), 0.15f);
    EXPECT_LT(water.x, 0.5f * air.x);  // a third of it
    EXPECT_GT(water.y, air.y + 0.2f);  // 0.73 rad and 0.07 rad
}

}  // namespace
}  // namespace purl
