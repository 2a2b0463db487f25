// Containers that move, turn and shake their fluid, and an obstacle that appears in a pool.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/solver/fluidRuns.h"
#include "tests/solver/waterSquare.h"

namespace purl {
namespace {

using namespace test;

// K-64 K-46. The low-x face of a tank moves by 0.35 |sin t| m.
TEST(WaveBox, makesWavesOfTheFacesPeriod) {
    Scene scene = sceneOf("water");
    const float s = spacingOf(scene);
    const auto tank = [&](double time) {
        return boxCollider({0.35f * static_cast<float>(std::fabs(std::sin(time))), 0, 0}, s * Vec3{48, 10, 60});
    };
    scene.colliders.push_back(tank(0));
    Simulator simulator(oneThread());
    simulator.restore(stateOf(lattice(40, 10, 11, s)), scene);
    double fastest = 0;
    float behind = 0;
    std::vector<double> heights;
    for (int i = 1; i <= 1500; ++i) {
        scene.colliders[0] = tank(0.01 * i);
        const Frame& frame = simulator.advanceTo(scene, 0.01 * i);
        fastest = std::max(fastest, frame.stats.maxSpeed);
        const float face = 0.35f * static_cast<float>(std::fabs(std::sin(0.01 * i)));
        for (const Vec3 x : frame.points.positions) behind = std::max(behind, face - x.x);
        heights.push_back(percentile(frame, 2, 0.95));
    }
    EXPECT_LT(fastest, 6);  // 2.4 m/s; the face moves at up to 0.35 m/s and waves break: no blow-up
    EXPECT_LE(behind, 1e-6f);
    // Fourier amplitude at the period π compared with periods around it, without the start.
    const auto amplitude = [&](double period) {
        double re = 0, im = 0, mean = 0;
        const size_t first = heights.size() - 943;  // three times π, in hundredths
        for (size_t i = first; i < heights.size(); ++i) mean += heights[i] / 943;
        for (size_t i = first; i < heights.size(); ++i) {
            re += (heights[i] - mean) * std::cos(2 * kPi * 0.01 * double(i) / period);
            im += (heights[i] - mean) * std::sin(2 * kPi * 0.01 * double(i) / period);
        }
        return std::hypot(re, im);
    };
    // Others have a quarter of it at most; at half of it they would be no noise any more.
    for (const double other : {2 * kPi, kPi * 2 / 3, kPi * 1.5})
        EXPECT_GT(amplitude(kPi), 2 * amplitude(other)) << other;
}

// K-70
TEST(Shaking, splashesWaterAndStretchesMucus) {
    const auto loners = [](const std::string& preset) {
        Scene scene = sceneOf(preset);
        const float s = spacingOf(scene);
        const auto capsule = [&](double time) {
            return capsuleAlongZ({12 * s * static_cast<float>(std::sin(2 * kPi * time / 0.5)), 0, 0}, 10 * s, 9 * s);
        };
        scene.colliders.push_back(capsule(0));
        Simulator simulator(oneThread());
        simulator.restore(stateOf(lattice(10, 10, 15, s, s * Vec3{-5, -5, -7.5f})), scene);
        double sum = 0;
        for (int i = 1; i <= 200; ++i) {
            scene.colliders[0] = capsule(0.01 * i);
            simulator.advanceTo(scene, 0.01 * i);
            Neighbors neighbors(oneThread());
            neighbors.build(simulator.state().particles.x, static_cast<float>(supportRadius(scene.fluids[0].params)));
            for (int k = 0; k < neighbors.count(); ++k) sum += neighbors.view().count(k) <= 2 ? 1 : 0;
        }
        return sum / 200;
    };
    // Particles with two neighbours or fewer: 21 of 1500 in splashing water, one in 200 frames of mucus.
    EXPECT_GT(loners("water"), 10);
    EXPECT_LT(loners("mucus"), 1);
}

// K-71 K-46
TEST(Mixer, turnsWaterBrisklyAndMucusSluggishly) {
    const auto briskness = [](const std::string& preset) {
        Scene scene = sceneOf(preset);
        const float s = spacingOf(scene);
        const auto cube = [&](double time) {
            Collider box = boxCollider(s * Vec3{-8, -8, -8}, s * Vec3{8, 8, 8});
            const float c = static_cast<float>(std::cos(kPi * time)), d = static_cast<float>(std::sin(kPi * time));
            box.pose.axes = {{c, 0, -d}, {0, 1, 0}, {d, 0, c}};
            return box;
        };
        scene.colliders.push_back(cube(0));
        Simulator simulator(oneThread());
        simulator.restore(stateOf(lattice(15, 10, 10, s, s * Vec3{-7.5f, -5, -8})), scene);
        double sum = 0;
        float farthest = 0;
        for (int i = 1; i <= 1000; ++i) {
            scene.colliders[0] = cube(0.01 * i);
            simulator.advanceTo(scene, 0.01 * i);
            const Particles& particles = simulator.state().particles;
            for (const Vec3 x : particles.x) {
                const Vec3 local = scene.colliders[0].pose.toLocal(x);
                for (int axis = 0; axis < 3; ++axis) farthest = std::max(farthest, std::fabs(local[axis]) / s);
            }
            if (i % 10) continue;
            Neighbors neighbors(oneThread());
            neighbors.build(particles.x, static_cast<float>(supportRadius(scene.fluids[0].params)));
            double squares = 0;
            for (int k = 0; k < particles.count(); ++k) {
                Vec3 mean = particles.v[k];
                neighbors.view().forEach(k, [&](int j, Vec3, float) { mean += particles.v[j]; });
                mean = mean / static_cast<float>(neighbors.view().count(k) + 1);
                squares += lengthSquared(particles.v[k] - mean) / double(particles.count());
            }
            sum += std::sqrt(squares) / 100;
        }
        EXPECT_LE(farthest, 8 * (1 + 1e-5f)) << preset;  // rounding of the turned positions
        return sum;
    };
    // m/s, of particles relative to their neighbours: 0.325 and 0.224.
    EXPECT_GT(briskness("water"), 1.2 * briskness("mucus"));
}

// L-81. A ball that grows in a pool at rest pushes the water away; when it is gone, the water comes back.
TEST(MovingColliders, waterMakesWayForABallAndComesBack) {
    Scene scene = waterSquare();
    scene.solver.gravity = 9.81f;
    scene.solver.cfl = SolverParams().cfl;
    scene.solver.maxTimeStep = 1.0f / 240;
    scene.fluids[0].params.viscosity = 2;
    scene.colliders = {boxCollider({0, 0, -1}, {30 * kSquareSpacing, 60 * kSquareSpacing, 1})};
    Simulator simulator(oneThread());
    simulator.reset(scene);
    const Vec3 middle = 15 * kSquareSpacing * Vec3{1, 1, 0};
    constexpr float kRadius = 4 * kSquareSpacing, kLooked = 0.9f * kRadius;
    const auto near = [&](const Frame& frame) {
        return std::count_if(frame.points.positions.begin(), frame.points.positions.end(),
                             [&](Vec3 x) { return length(x - middle) < kLooked; });
    };
    // A lattice has a particle for every spacing²; five of 41 is what a row at the rim may hold more or less.
    const double full = kPi * double(square(kLooked / kSquareSpacing));
    EXPECT_NEAR(double(near(simulator.advanceTo(scene, 0.5))), full, 5);
    EXPECT_LT(simulator.frame().stats.maxSpeed, 0.5);  // at rest: falling for so long would give 4.9 m/s
    Collider ball = smoothCollider("ball");
    ball.params.shape = ColliderShape::sphere;
    ball.pose.position = middle;
    scene.colliders.push_back(ball);
    for (int k = 1; k <= 12; ++k) {
        scene.colliders[1].params.radius = kRadius * float(k) / 12;
        simulator.advanceTo(scene, 0.5 + k / 24.0);
    }
    EXPECT_EQ(near(simulator.frame()), 0);
    scene.colliders.pop_back();
    EXPECT_NEAR(double(near(simulator.advanceTo(scene, 2))), full, 5);
}

// Particles inside it are pushed out within a step, at tens of m/s.
TEST(MovingColliders, aBallThatAppearsInFluidIsReported) {
    Scene scene = waterSquare();
    Simulator simulator(oneThread());
    simulator.reset(scene);
    simulator.advanceTo(scene, 0.01);
    Collider ball = smoothCollider("ball");
    ball.params.shape = ColliderShape::sphere;
    ball.params.radius = 4 * kSquareSpacing;
    ball.pose.position = 45 * kSquareSpacing * Vec3{1, 1, 0};  // in air
    scene.colliders.push_back(ball);
    simulator.advanceTo(scene, 0.02);
    EXPECT_TRUE(simulator.warnings().empty());
    ball.name = "stone";
    ball.pose.position = 15 * kSquareSpacing * Vec3{1, 1, 0};
    scene.colliders.push_back(ball);
    try {
        simulator.advanceTo(scene, 0.03);
    } catch (const Error&) {}  // it may blow up
    ASSERT_FALSE(simulator.warnings().empty());
    EXPECT_EQ(simulator.warnings()[0].find("stone: appears at 0.02 s with "), 0u) << simulator.warnings()[0];
}

}  // namespace
}  // namespace purl
