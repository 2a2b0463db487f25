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

// Under water, but nothing of it acts yet: no drag, no added mass, no damping.
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
TEST(Immersion, gravityIsLessByBuoyancyAndMassMoreByWhatMovesAlong) {
    Cloth cloth = immersed(4, 0.3f);
    for (const float density : {900.0f, 1050.0f, 1540.0f})
        for (const float added : {0.0f, 0.5f}) {
            cloth.params.wetDensity = density;
            cloth.params.addedMass = added;
            const double volume = 1 / double(density);  // of a kilogram
            const double expected = -9.81 * (double(density) - 1000) * volume / (1 + double(added) * 1000 * volume);
            EXPECT_NEAR(velocityAfter(test::sceneOf(cloth), 0.01).y / 0.01, expected, 1e-3 * std::fabs(expected));
        }
}

// O-18: after a hundred steps, and whatever the solver.
TEST(Immersion, floatsStaysOrSinksByItsDensity) {
    for (int solver = 0; solver < 6; ++solver) {
        const auto rise = [&](float density) {
            Cloth cloth = immersed(4, 0.3f);
            cloth.params.solver = static_cast<ClothSolver>(solver);
            cloth.params.damping = 1e-4f;
            cloth.params.wetDensity = density;
            Simulator simulator(oneThread());
            simulator.advanceTo(test::sceneOf(cloth), 0.5);
            return meanOf(simulator.state().cloth.x).y;
        };
        EXPECT_GT(rise(900), 0.05f);
        EXPECT_NEAR(rise(1000), 0, 1e-6);
        EXPECT_LT(rise(1100), -0.05f);
    }
}

// O-20: along its way, not along its normal.
TEST(Immersion, viscousDragMakesVelocityDecayInAllDirectionsAlike) {
    Cloth cloth = immersed(4, 0.3f);
    cloth.params.fluidViscosity = 0.001f;
    cloth.params.startVelocity = {0.5f, 1, -0.2f};
    Scene scene = test::sceneOf(cloth);
    scene.solver.gravity = 0;
    // k A/m = 2 · 0.001/0.001/0.15 1/s
    const double left = std::exp(-0.1 * 2 / 0.15);
    const Vec3 v = velocityAfter(scene, 0.1);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(v[k], left * double(cloth.params.startVelocity[k]), 1e-4) << k;
}

// O-24: what slides along itself feels none of it; what goes across is slowed by the square of its speed,
// v = v₀/(1 + ½ ρ C v₀ t A/m).
TEST(Immersion, dragAcrossIsTheSquareOfSpeed) {
    Cloth cloth = immersed(4, 0.3f);
    cloth.params.normalDrag = 1.2f;
    cloth.params.startVelocity = {0.7f, 0.2f, 0};
    Scene scene = test::sceneOf(cloth);
    scene.solver.gravity = 0;
    const Vec3 v = velocityAfter(scene, 0.05);
    EXPECT_NEAR(v.x, 0.7, 1e-4);
    EXPECT_NEAR(v.y, 0.2 / (1 + 600 * 0.2 * 0.05 / 0.15), 1e-4);
}

// O-19: it is carried off, up to the current's speed.
TEST(Immersion, currentCarriesTheClothAlong) {
    Cloth cloth = immersed(5, 0.3f);
    cloth.params.fluidViscosity = 0.001f;
    cloth.params.historyDrag = 1;
    cloth.params.current = {0.3f, 0, 0.1f};
    cloth.params.wetDensity = 1000;
    const Scene scene = test::sceneOf(cloth);
    // At first by k A U/m, history's share aside: 13 1/s of 0.3 m/s.
    EXPECT_NEAR(velocityAfter(scene, 0.005).x, 0.005 * 13.3 * 0.3, 0.4 * 0.005 * 13.3 * 0.3);
    const Vec3 late = velocityAfter(scene, 2);
    EXPECT_NEAR(late.x, 0.3, 0.01);
    EXPECT_NEAR(late.z, 0.1, 0.01);
}

// The drag of the past alone, on one point of 1 kg and 1 m² that moves along itself.
Vec3 afterHistoryDrag(Vec3 v, Vec3 remembered, const Memory& memory, float dt, Vec3 current = {}) {
    const int starts[] = {0, 0};
    const float one[] = {1};
    const Vec3 x{};
    DragInFluid{{starts, 2},       {starts, 0},          {one, 1}, {one, 1},    current, 0, 0, 2,
                float(memory.now), float(memory.steady), dt,       &remembered, &x,      &v}(0);
    return v;
}

// O-21: over a constant velocity D^½x = G v. What three past samples and the trapezoid come to, and the document's
// rule, 1.991814 √Δt; the newest velocity is the step's last, which takes r of it besides.
TEST(Immersion, historyDragOfSteadyMotionIsItsGain) {
    const float dt = 0.001f;
    const Memory memory = memoryOf(0.5, 3, 100, double(dt));
    EXPECT_NEAR(memory.steady, (std::pow(4, 1.5) - std::pow(3, 1.5)) / std::tgamma(2.5) * std::sqrt(0.001), 1e-8);
    EXPECT_NEAR(simpsonWeights(4, 100).steadyGain(1), 1.991814, 1e-6);
    const Vec3 v{0.3f, -0.2f, 0.1f};
    const Vec3 before = static_cast<float>(memory.steady / memory.now - 1) * v;
    const Vec3 after = afterHistoryDrag(v, before, memory, dt);
    const float force = 2 * static_cast<float>(memory.steady);
    EXPECT_NEAR(length((v - after) / dt - force * v), 0, 1e-3f * force);
    // With the stream there is none.
    EXPECT_NEAR(length(afterHistoryDrag(v, before, memory, dt, v) - v), 0, 1e-7);
}

// O-21
TEST(Immersion, historyDragPushesAlongAfterATurnAndHeedsRest) {
    const Memory memory = memoryOf(0.5, 3, 100, 0.001);
    const Vec3 v{0.1f, 0, 0}, before{-2, 0, 0};
    EXPECT_GT(afterHistoryDrag(v, before, memory, 0.001f).x, v.x);
    EXPECT_EQ(afterHistoryDrag({}, before, memory, 0.001f), Vec3{});
}

// O-22, O-110: springs of a strip damped by the past: pairs cancel, a common motion is none, and the force is along.
TEST(Immersion, fractionalSpringsActBetweenTheirEndsAlone) {
    Cloth cloth = test::gridCloth(2, 8, {}, {0.02f, 0, 0}, {0, 0.14f, 0});
    cloth.params.bendStiffness = 0;
    Fabric fabric(oneThread());
    fabric.set(cloth, {cloth.points.data(), 16});
    fabric.setLags(0.01f, 0.01f);
    Buffer<Vec3> element(oneThread());
    std::vector<Vec3> alike(16, Vec3{0.3f, 0.7f, -0.2f}), apart(16), sum(16);
    innerForces(fabric, cloth.points.data(), alike.data(), element, sum.data());
    for (const Vec3& f : sum) EXPECT_NEAR(length(f), 0, 1e-5);
    for (size_t i = 0; i < 16; ++i) apart[i] = {randomUnit(1, i), randomUnit(2, i), randomUnit(3, i)};
    innerForces(fabric, cloth.points.data(), apart.data(), element, sum.data());
    Vec3 total;
    for (const Vec3& f : sum) total += f;
    EXPECT_NEAR(length(total), 0, 1e-5);
    for (int s = 0; s < fabric.springs.size(); ++s) {
        const Spring& spring = fabric.springs[s];
        const Vec3 along = cloth.points[static_cast<size_t>(spring.a)] - cloth.points[static_cast<size_t>(spring.b)];
        EXPECT_NEAR(length(cross(element[s], normalized(along))), 0, 1e-5f * length(element[s]) + 1e-7f);
    }
}

// O-23: in air the order is 1, and the spring's damping the dashpot's.
TEST(Immersion, orderGoesFromDashpotToHalfWithTheDial) {
    ClothParams params;
    EXPECT_EQ(dampingOrder(params), 1);
    EXPECT_EQ(Memory{}.lag(0.0123f, 1), 0.0123f);
    params.immersion = 1;
    EXPECT_EQ(dampingOrder(params), 0.5);
    // Nearly in air, nearly the dashpot, and hardly any past.
    const Memory slight = memoryOf(0.999, 10, 100, 0.004);
    EXPECT_NEAR(slight.lag(0.0123f, 0.999), 0.0123, 2e-4);
    double past = 0;
    for (const double weight : slight.past.perLag) past += weight;
    EXPECT_LT(past, 0.01);
}

// A mass on a spring that half a derivative damps:   m x″ + k √lag D^½x + k x = 0. Every solver's is the same motion,
// which is marched here in double with all of the past.
double half(double omega, double lag, double time, int steps) {
    const double dt = time / steps;
    std::vector<double> v{0};
    double x = 1;
    for (int n = 0; n < steps; ++n) {
        const HistoryWeights weights = trapezoidWeights(0.5, n + 2, n + 1);
        double past = 0;
        for (int k = 1; k <= n + 1; ++k) past += weights.perLag[static_cast<size_t>(k)] * v[v.size() - size_t(k)];
        const double d = std::sqrt(lag * dt), b = omega * omega;
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
        const double omega = std::sqrt(1 / (0.25 * 0.15 * 0.01)), time = 0.1;  // 82 ms a period
        simulator.advanceTo(scene, time);
        const double expected = half(omega, 0.002, time, 4000);
        // First order in the step: half a percent of the amplitude a step and period, twice over.
        EXPECT_NEAR((double(simulator.state().cloth.x[1].x) - 0.1) / 0.01, expected, 0.05)
            << choicesOf(solver)[static_cast<size_t>(solver)];
        EXPECT_LT(std::fabs(expected), 0.6);
    }
}

// With strengths set to the same over steady motion, how many samples are remembered moves the shape by less than a
// millimetre. Özgen found it to matter less from three to six than from one to three; here it is 0.3 mm against 0.1.
TEST(Immersion, lengthOfMemoryHardlyMattersAtEqualStrength) {
    const auto shape = [](int samples) {
        Cloth cloth = test::gridCloth(9, 13, {}, {0.2f, 0, 0}, {0, -0.3f, 0});
        ClothParams& params = cloth.params;
        params.immersion = 1;
        params.maxTimeStep = 1 / 240.0f;
        params.memory = float(samples) * params.maxTimeStep;
        // The same over steady motion, whatever is remembered.
        const auto steady = float(memoryOf(0.5, samples, 1000, double(params.maxTimeStep)).steady);
        params.historyDrag = 0.2f / steady;
        params.bendDamping = square(0.01f / steady);
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
    EXPECT_LT(apart(one, three), 1e-3);
    EXPECT_LT(apart(three, six), 1e-3);
}

// The past is of the state: saved, hashed and resumed, and without it another motion.
TEST(Immersion, pastIsSavedWithTheState) {
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
    // Out of the water nothing is kept.
    Scene dry = scene;
    dry.cloths[0].params.immersion = 0;
    test::play(rest, dry, 1.1);
    EXPECT_EQ(rest.state().cloth.past.values.size(), 0);
}

// At 0 the dial is off: the other attributes of water change nothing, to the bit.
TEST(Immersion, inAirWaterIsNothing) {
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

// O-32: a ball goes through where the sheet hangs; none of it is inside, and the wave lasts.
TEST(Immersion, ballGoesIntoTheSheetAndNoneOfItInside) {
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
            EXPECT_GT(length(x - at), 0.1f);
            most = std::max(most, -double(x.z));
        }
    }
    EXPECT_GT(most, 0.1);
}

// What is drawn to its mesh's motion follows it: closely in air, and under water late and less.
TEST(Immersion, cachedMotionIsFollowedAndLaterUnderWater) {
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
    EXPECT_LT(water.x, 0.9f * air.x);
    EXPECT_GT(water.y, air.y + 0.2f);
}

}  // namespace
}  // namespace purl
