#include "solver/fluid/cohesion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using namespace test;

constexpr float kSpacing = 0.001f;
constexpr double kTension = 0.0728;

// Millimetres of water, without weight.
Scene dropScene(PressureSolver solver, float viscosity) {
    Scene scene;
    scene.solver.gravity = 0;
    scene.solver.xsph = 0;
    scene.solver.pressureSolver = solver;
    scene.fluids.push_back(dampedWater("drop"));
    FluidParams& params = scene.fluids[0].params;
    params.restDensity = 1000;
    params.particleSpacing = kSpacing;
    params.viscosity = viscosity;
    params.stiffness = 5;
    params.wcsph.attraction = 0;  // would be another tension
    params.surfaceTension = static_cast<float>(kTension);
    params.tensionModel = TensionModel::cohesion;
    return scene;
}

// Points of a lattice about the origin within `radius` spacings.
std::vector<Vec3> ball(float radius) {
    const int n = static_cast<int>(radius) + 1;
    const float corner = -static_cast<float>(n) * kSpacing;
    std::vector<Vec3> inside;
    for (const Vec3 x : lattice(2 * n, 2 * n, 2 * n, kSpacing, {corner, corner, corner}))
        if (length(x) < radius * kSpacing) inside.push_back(x);
    return inside;
}

// Second moments of a body along the axes, about its centre.
struct Moments {
    Vec3 center;
    double along[3] = {};

    explicit Moments(const std::vector<Vec3>& points) {
        const float share = 1 / static_cast<float>(points.size());
        for (const Vec3 x : points) center += share * x;
        for (const Vec3 x : points)
            for (int axis = 0; axis < 3; ++axis)
                along[axis] += double(square(x[axis] - center[axis])) / static_cast<double>(points.size());
    }
    double elongation() const { return *std::max_element(along, along + 3) / *std::min_element(along, along + 3); }
    // Σ r² over that of a ball of the same volume, 3/5 R²: 1 for a ball, 1.08 for a cube.
    double looseness(size_t count) const {
        const double radius = kSpacing * std::cbrt(3 * static_cast<double>(count) / (4 * kPi));
        return (along[0] + along[1] + along[2]) / (0.6 * radius * radius);
    }
};

// Accelerations by cohesion alone.
std::vector<Vec3> cohesionOf(const Scene& scene, const std::vector<Vec3>& points) {
    const Device device = oneThread();
    Particles particles = stateOf(points).particles;
    Materials materials(device);
    Neighbors neighbors(device);
    Buffer<float> volume(device);
    LaneMemory memory(device);
    materials.set(scene);
    neighbors.build(particles.x, materials.searchRadius);
    computeDensity(particles, neighbors, materials, volume, memory);
    applyForces(particles, neighbors, materials, volume, memory);
    for (Vec3& a : particles.a) a = {};
    applyCohesion(particles, neighbors, materials, memory);
    return {particles.a.begin(), particles.a.end()};
}

// L-22
TEST(Cohesion, keepsMomentumAndAngularMomentum) {
    const Scene scene = dropScene(PressureSolver::wcsph, 0);
    const std::vector<Vec3> points = jittered(lattice(14, 9, 6, kSpacing), 0.3f * kSpacing);
    const std::vector<Vec3> a = cohesionOf(scene, points);
    double force = 0, torque = 0;
    Vec3 forces, torques;
    for (size_t i = 0; i < a.size(); ++i) {
        const Vec3 turn = cross(points[i], a[i]);
        forces += a[i];
        torques += turn;
        force += double(length(a[i]));
        torque += double(length(turn));
    }
    EXPECT_GT(force, 1);
    EXPECT_LT(length(forces), 1e-5 * force);    // 4e-8: rounding of the sum
    EXPECT_LT(length(torques), 1e-5 * torque);  // 1.2e-8: rounding of the sum
}

// Inside, particles have neighbours all around and cohesion is nothing beside what it is at the surface.
TEST(Cohesion, actsAtTheSurfaceOnly) {
    const Scene scene = dropScene(PressureSolver::wcsph, 0);
    const std::vector<Vec3> points = ball(6);
    const std::vector<Vec3> a = cohesionOf(scene, points);
    float inside = 0, surface = 0;
    for (size_t i = 0; i < points.size(); ++i) {
        const bool deep = length(points[i]) < 2 * kSpacing;
        (deep ? inside : surface) = std::max(deep ? inside : surface, length(a[i]));
    }
    EXPECT_GT(surface, 1);
    EXPECT_LT(inside, 1e-3f * surface);  // 1e-4 measured
}

class Drop : public testing::TestWithParam<PressureSolver> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Drop,
                         testing::Values(PressureSolver::wcsph, PressureSolver::dfsph, PressureSolver::pbf));

// K-22 L-22
TEST_P(Drop, brickBecomesABall) {
    const Scene scene = dropScene(GetParam(), 0.1f);
    const std::vector<Vec3> brick = jittered(lattice(10, 7, 6, kSpacing), 0.05f * kSpacing);
    Simulator simulator(oneThread());
    simulator.restore(stateOf(brick), scene);
    simulator.advanceTo(scene, 0.15);
    const Frame& frame = simulator.frame();
    const Moments before(brick), after(frame.points.positions);
    EXPECT_GT(before.elongation(), 2.7);              // 2.83: (10 / 6)², a ratio of variances
    EXPECT_GT(before.looseness(brick.size()), 1.15);  // 1.17; a ball has 1
    EXPECT_LT(after.elongation(), 1.15);              // 1.04; a ball has 1
    EXPECT_LT(after.looseness(brick.size()), 1.1);    // 0.98; a ball has 1
    EXPECT_LT(length(after.center - before.center), 0.01f * kSpacing) << "no force from outside";  // 3e-9 m: rounding
}

// A cosine that fades, m = c + e^{−βt} (a cos ωt + b sin ωt), by least squares; time in arbitrary units.
struct Swing {
    double frequency = 0, fading = 0, error = 1e30;

    Swing(const std::vector<double>& times, const std::vector<double>& values) {
        for (double f = 0.4; f < 2; f += 0.01)
            for (double fade = 0; fade < 3; fade += 0.1) consider(times, values, f, fade);
    }
    // Without friction it would swing this fast: √(ω² + β²).
    double undamped() const { return std::hypot(frequency, fading / (2 * kPi)); }

  private:
    void consider(const std::vector<double>& times, const std::vector<double>& values, double f, double fade) {
        const auto basis = [&](double t, double(&g)[3]) {
            g[0] = std::exp(-fade * t) * std::cos(2 * kPi * f * t);
            g[1] = std::exp(-fade * t) * std::sin(2 * kPi * f * t);
            g[2] = 1;
        };
        double normal[3][4] = {}, g[3];
        for (size_t i = 0; i < times.size(); ++i) {
            basis(times[i], g);
            for (int r = 0; r < 3; ++r) {
                for (int c = 0; c < 3; ++c) normal[r][c] += g[r] * g[c];
                normal[r][3] += g[r] * values[i];
            }
        }
        for (int k = 0; k < 3; ++k)
            for (int r = 0; r < 3; ++r) {
                if (r == k) continue;
                const double share = normal[r][k] / normal[k][k];
                for (int c = k; c < 4; ++c) normal[r][c] -= share * normal[k][c];
            }
        double sum = 0;
        for (size_t i = 0; i < times.size(); ++i) {
            basis(times[i], g);
            double rest = values[i];
            for (int k = 0; k < 3; ++k) rest -= normal[k][3] / normal[k][k] * g[k];
            sum += rest * rest;
        }
        if (sum < error) *this = Swing(f, fade, sum);
    }
    Swing(double f, double fade, double sum) : frequency(f), fading(fade), error(sum) {}
};

// B-21 L-22. A drop eight spacings in radius, stretched by a push, swings at ω² = 8 σ / (ρ R³) (Rayleigh 1879, mode 2),
// and the pressure inside is 2 σ / R.
TEST(Cohesion, nightlyDropSwingsAsRayleighAndPressesAsLaplaceSays) {
    const Scene scene = dropScene(PressureSolver::dfsph, 0.03f);
    const std::vector<Vec3> points = ball(8);
    const double radius = kSpacing * std::cbrt(3 * static_cast<double>(points.size()) / (4 * kPi));
    const double omega = std::sqrt(8 * kTension / (1000 * radius * radius * radius)), period = 2 * kPi / omega;

    Simulator simulator(oneThread());
    simulator.restore(stateOf(points), scene);
    simulator.advanceTo(scene, 0.5 * period);
    State state = simulator.state();
    state.time = state.lastStep = 0;
    Particles& particles = state.particles;
    for (int i = 0; i < particles.count(); ++i) {
        const Vec3 x = particles.x[i];
        particles.v[i] = static_cast<float>(0.05 * omega) * Vec3{-x.x, -x.y, 2 * x.z};
    }
    simulator.restore(state, scene);

    std::vector<double> times, stretches;
    double pressure = 0;
    int counted = 0;
    constexpr int kFrames = 24;  // a period
    for (int k = 1; k <= 3 * kFrames / 2; ++k) {
        const Frame& frame = simulator.advanceTo(scene, period * k / kFrames);
        const Moments shape(frame.points.positions);
        times.push_back(double(k) / kFrames);
        stretches.push_back(std::log(2 * shape.along[2] / (shape.along[0] + shape.along[1])));
        for (size_t i = 0; i < frame.points.count(); ++i) {
            if (double(length(frame.points.positions[i] - shape.center)) > 0.6 * radius) continue;
            pressure += double(frame.points.pressures[i]);
            ++counted;
        }
    }
    const Swing swing(times, stretches);
    EXPECT_NEAR(1 / swing.undamped(), 1, 0.1);
    EXPECT_NEAR(pressure / counted, 2 * kTension / radius, 0.1 * 2 * kTension / radius);
}

}  // namespace
}  // namespace purl
