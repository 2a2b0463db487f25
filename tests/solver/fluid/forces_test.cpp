#include "solver/fluid/forces.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using namespace test;

constexpr int kSide = 12;
int latticeIndex(int x, int y, int z) { return (z * kSide + y) * kSide + x; }

struct Double3 {
    double x = 0, y = 0, z = 0;
    void add(Vec3 v) { x += v.x, y += v.y, z += v.z; }
    double length() const { return std::sqrt(x * x + y * y + z * z); }
};

// |Σ F| / Σ|F|, and the same of the torques.
struct Balance {
    double force = 0, torque = 0;

    explicit Balance(const Measured& measured) {
        Double3 forces, torques;
        double forceSum = 0, torqueSum = 0;
        for (int i = 0; i < measured.count(); ++i) {
            const Vec3 f = measured.force(i), t = cross(measured.particles.x[i], f);
            forces.add(f);
            torques.add(t);
            forceSum += length(f);
            torqueSum += length(t);
        }
        force = forces.length() / forceSum;
        torque = torques.length() / torqueSum;
    }
};

Scene pressureOnly(const std::string& preset) {
    Scene scene = sceneOf(preset);
    scene.solver.gravity = 0;
    scene.fluids[0].params.viscosity = 0;
    scene.fluids[0].params.surfaceTension = 0;
    return scene;
}

std::vector<Vec3> cloud(float spacing) { return jittered(lattice(8, 8, 8, spacing), 0.3f * spacing); }

// ---- pressure -------------------------------------------------------------------------------------------------

// K-10 K-11 B-10 B-11 G-19 O-41. Equal and opposite in exact arithmetic; in float each pair rounds by parts in 10⁷.
TEST(PressureForce, keepsMomentum) {
    Scene scene = pressureOnly("water");
    FluidParams& params = scene.fluids[0].params;
    for (const PressureForm form : {PressureForm::symmetric, PressureForm::mean}) {
        params.reference.pressureForm = form;
        const Balance balance(Measured(scene, cloud(params.particleSpacing)));
        EXPECT_LT(balance.force, 1e-5);
        EXPECT_LT(balance.torque, 1e-5);
    }
}

// K-11 B-12
TEST(PressureForce, ofTheBasicFormLosesMomentum) {
    Scene scene = pressureOnly("water");
    const std::vector<Vec3> points = cloud(scene.fluids[0].params.particleSpacing);
    scene.fluids[0].params.reference.pressureForm = PressureForm::mean;
    const double kept = Balance(Measured(scene, points)).force;
    scene.fluids[0].params.reference.pressureForm = PressureForm::basic;
    const double lost = Balance(Measured(scene, points)).force;
    EXPECT_GT(lost, 1e-3);
    EXPECT_GT(lost, 100 * kept);
}

// B-10 B-11. Where the density is the same everywhere, the mean form is half of the symmetric one, and that is −∇p/ρ.
TEST(PressureForce, ofALinearPressureIsItsSlopeAndTheMeanFormHalfOfIt) {
    Scene scene = pressureOnly("water");
    FluidParams& params = scene.fluids[0].params;
    params.wcsph.kernelParticles = 80;  // 5 % wants some neighbours
    const float slope = 2 * params.restDensity;
    const auto accelerations = [&](PressureForm form) {
        params.reference.pressureForm = form;
        Measured measured(scene, lattice(kSide, kSide, kSide, params.particleSpacing));
        for (int i = 0; i < measured.count(); ++i) {
            measured.particles.density[i] = params.restDensity;
            measured.volume[i] = measured.materials.fluids[0].mass / params.restDensity;
            measured.particles.pressure[i] = slope * measured.particles.x[i].x;
        }
        applyForces(measured.particles, measured.neighbors, measured.materials, measured.volume);
        return measured;
    };
    const Measured symmetric = accelerations(PressureForm::symmetric), mean = accelerations(PressureForm::mean);
    EXPECT_NEAR(symmetric.a(latticeIndex(6, 6, 6)).x, -2, 0.1f);
    float largest = 0;
    for (int i = 0; i < mean.count(); ++i) largest = std::max(largest, length(symmetric.a(i)));
    for (int i = 0; i < mean.count(); ++i) EXPECT_LE(length(mean.a(i) - 0.5f * symmetric.a(i)), 1e-4f * largest) << i;
}

// K-09 K-12
TEST(PressureForce, drawsAThinPairTogetherByItsAttraction) {
    Scene scene = pressureOnly("water");
    const float h = static_cast<float>(supportRadius(scene.fluids[0].params));
    const std::vector<Vec3> pair{{0, 0, 0}, {0.5f * h, 0, 0}};
    const Measured measured(scene, pair);
    EXPECT_NEAR(measured.a(0).x, 241.137, 0.01);
    EXPECT_NEAR(measured.a(1).x, -241.137, 0.01);
    scene.fluids[0].params.wcsph.attraction = 0;
    EXPECT_EQ(Measured(scene, pair).a(0), Vec3{});
}

// ---- viscosity ------------------------------------------------------------------------------------------------

Scene viscosityOnly(const std::string& preset) {
    Scene scene = sceneOf(preset);
    scene.solver.gravity = 0;
    scene.fluids[0].params.stiffness = 0;
    scene.fluids[0].params.surfaceTension = 0;
    return scene;
}

// K-13 B-13 G-20
TEST(ViscosityForce, opposesRelativeMotion) {
    const Scene scene = viscosityOnly("water");
    const float h = static_cast<float>(supportRadius(scene.fluids[0].params));
    const std::vector<Vec3> pair{{0, 0, 0}, {0.5f * h, 0, 0}};
    const Measured shearing(scene, pair, {{0, 0.5f, 0}, {0, -0.5f, 0}});
    EXPECT_NEAR(shearing.a(0).y, -11.5511, 0.01);
    EXPECT_NEAR(shearing.a(1).y, 11.5511, 0.01);
    const Measured together(scene, pair, {{3, 2, 1}, {3, 2, 1}});
    EXPECT_EQ(together.a(0), Vec3{});
}

std::vector<Vec3> randomVelocities(size_t count) { return jittered(std::vector<Vec3>(count), 1, 11); }

// K-13
TEST(ViscosityForce, keepsMomentum) {
    const Scene scene = viscosityOnly("water");
    const std::vector<Vec3> points = cloud(scene.fluids[0].params.particleSpacing);
    EXPECT_LT(Balance(Measured(scene, points, randomVelocities(points.size()))).force, 1e-5);
}

// B-13. Honey and water: each feels the mean of both.
TEST(ViscosityForce, isEqualAndOppositeBetweenFluids) {
    Scene scene = viscosityOnly("water");
    scene.fluids.push_back(scene.fluids[0]);
    scene.fluids[1].params.viscosity = 50 * scene.fluids[0].params.viscosity;
    const std::vector<Vec3> points = cloud(scene.fluids[0].params.particleSpacing);
    Measured measured(scene, points, randomVelocities(points.size()));
    for (int i = 0; i < measured.count(); ++i) measured.particles.body[i] = i % 2;
    applyForces(measured.particles, measured.neighbors, measured.materials, measured.volume);
    EXPECT_LT(Balance(measured).force, 1e-5);
}

// G-20
TEST(ViscosityForce, isProportionalToTheViscosity) {
    Scene scene = viscosityOnly("water");
    const float h = static_cast<float>(supportRadius(scene.fluids[0].params));
    const std::vector<Vec3> pair{{0, 0, 0}, {0.5f * h, 0, 0}}, shear{{0, 0.5f, 0}, {0, -0.5f, 0}};
    const float once = Measured(scene, pair, shear).a(0).y;
    scene.fluids[0].params.viscosity *= 2;
    EXPECT_NEAR(Measured(scene, pair, shear).a(0).y / once, 2, 1e-5);
}

// K-14 B-13 G-20. Positions frozen, only velocities change; too large a viscosity for the step is the negative control.
TEST(ViscosityForce, onlyDamps) {
    constexpr float kStep = 0.01f;
    for (const std::string preset : {"water", "mucus", "steam"}) {
        Scene scene = viscosityOnly(preset);
        FluidParams& params = scene.fluids[0].params;
        const std::vector<Vec3> points = lattice(10, 10, 10, params.particleSpacing);
        const auto energies = [&] {
            Measured measured(scene, points, randomVelocities(points.size()));
            std::vector<double> energy;
            for (int n = 0; n < 10; ++n) {
                double sum = 0;
                for (int i = 0; i < measured.count(); ++i) {
                    sum += lengthSquared(measured.particles.v[i]);
                    measured.particles.v[i] += kStep * measured.a(i);
                }
                energy.push_back(sum);
                applyForces(measured.particles, measured.neighbors, measured.materials, measured.volume);
            }
            return energy;
        };
        const std::vector<double> damped = energies();
        for (size_t n = 1; n < damped.size(); ++n) EXPECT_LT(damped[n], damped[n - 1]) << preset;
        const double h = supportRadius(params);
        params.viscosity = static_cast<float>(2.5 * params.restDensity * h * h / (15 * double(kStep)));
        EXPECT_GT(energies().back(), energies().front()) << preset;
    }
}

// ---- gravity, buoyancy, fields ----------------------------------------------------------------------------------

// K-15 K-18 B-14
TEST(Weight, ofALiquidIsGravityWhateverItsBuoyancy) {
    Scene scene = sceneOf("water");
    scene.fluids[0].params.buoyancy = 5;
    EXPECT_EQ(Measured(scene, {{1, 2, 3}}).a(0), (Vec3{0, 0, -kGravity}));
}

// K-16 K-18. b (ρ − ρ₀) g / ρ at a lone particle's 0.546875 ρ₀, and no gravity beside it.
TEST(Weight, ofAGasIsBuoyancyInsteadOfGravity) {
    EXPECT_NEAR(Measured(sceneOf("steam"), {{1, 2, 3}}).a(0).z, 40.683, 1e-3);
    const FluidConstants steam = constantsOf(fluidPreset("steam"));
    EXPECT_EQ(weight(steam, steam.restDensity, {0, 0, -kGravity}), Vec3{});
}

// B-14. A free particle falls ever more slowly until drag bears its weight: v = g/c (1 − exp(−c t)), g/c = m g/c_drag.
TEST(Drag, letsAParticleFallAtItsTerminalSpeed) {
    for (const PressureSolver solver : {PressureSolver::wcsph, PressureSolver::pbf, PressureSolver::dfsph}) {
        Scene scene;
        scene.solver.pressureSolver = solver;
        scene.solver.maxTimeStep = 0.002f;
        scene.fluids.resize(1);
        scene.fluids[0].name = "drop";
        Simulator simulator(oneThread());
        const State one = stateOf({{0, 0, 0}});
        simulator.restore(one, scene);
        EXPECT_NEAR(run(simulator, scene, 0.5, 0.1).points.velocities[0].y, -9.81f * 0.5f, 0.03f) << int(solver);
        scene.fluids[0].params.drag = 4;
        simulator.restore(one, scene);
        EXPECT_NEAR(run(simulator, scene, 3, 0.1).points.velocities[0].y, -9.81f / 4, 0.01f * 9.81f / 4) << int(solver);
    }
}

// K-17
TEST(Fields, addTheirAccelerationWhereTheyReach) {
    Scene scene = sceneOf("water");
    const std::vector<Vec3> points = cloud(scene.fluids[0].params.particleSpacing);
    const Measured before(scene, points);
    scene.fields.resize(2);
    scene.fields[0].params.magnitude = 3;
    scene.fields[0].params.direction = {2, 0, 0};
    scene.fields[1].params.magnitude = 100;
    scene.fields[1].params.radius = 1;
    scene.fields[1].position = {50, 0, 0};
    const Measured during(scene, points);
    for (int i = 0; i < before.count(); ++i) EXPECT_NEAR(during.a(i).x - before.a(i).x, 3, 1e-3);
    scene.fields.clear();
    const Measured after(scene, points);
    for (int i = 0; i < before.count(); ++i) EXPECT_EQ(after.a(i), before.a(i));
}

// K-17 K-18
TEST(Fields, moveGasesToo) {
    Scene scene = viscosityOnly("steam");
    scene.fluids[0].params.buoyancy = 0;
    scene.fields.resize(1);
    scene.fields[0].params.magnitude = 2;
    EXPECT_EQ(Measured(scene, {{}}).a(0), (Vec3{0, -2, 0}));
}

// ---- surface --------------------------------------------------------------------------------------------------

// K-19 K-23
TEST(Surface, normalsPointOutwardAndAreOfUnitLength) {
    const Scene scene = sceneOf("water");
    const Measured measured(scene, lattice(kSide, kSide, kSide, scene.fluids[0].params.particleSpacing));
    const auto normal = [&](int x, int y, int z) { return measured.particles.normal[latticeIndex(x, y, z)]; };
    EXPECT_GT(normal(11, 6, 6).x, 0.99f);
    EXPECT_LT(normal(0, 6, 6).x, -0.99f);
    EXPECT_GT(normal(6, 11, 6).y, 0.99f);
    EXPECT_LT(normal(6, 0, 6).y, -0.99f);
    EXPECT_GT(normal(6, 6, 11).z, 0.99f);
    EXPECT_LT(normal(6, 6, 0).z, -0.99f);
    for (const Vec3 n : measured.particles.normal) EXPECT_TRUE(n == Vec3{} || std::fabs(length(n) - 1) < 1e-5f);
}

int surfaceCount(const Measured& measured, int fromLayer, int toLayer) {
    int count = 0;
    for (int z = 0; z < kSide; ++z)
        for (int y = 0; y < kSide; ++y)
            for (int x = 0; x < kSide; ++x) {
                int layer = kSide;
                for (const int c : {x, y, z}) layer = std::min({layer, c, kSide - 1 - c});
                if (layer >= fromLayer && layer < toLayer)
                    count += measured.particles.normal[latticeIndex(x, y, z)] != Vec3{} ? 1 : 0;
            }
    return count;
}

// K-20 K-23
TEST(Surface, isTheOuterLayerOfABlock) {
    const Scene scene = sceneOf("water");
    const Measured measured(scene, lattice(kSide, kSide, kSide, scene.fluids[0].params.particleSpacing));
    EXPECT_EQ(surfaceCount(measured, 0, 1), 728);
    EXPECT_EQ(surfaceCount(measured, 1, 2), 0);
    EXPECT_EQ(surfaceCount(measured, 2, kSide), 0);
}

// K-20
TEST(Surface, isTheEndsOfALineAndTheRimOfASheet) {
    const Scene scene = sceneOf("water");
    const float s = scene.fluids[0].params.particleSpacing;
    const auto flagged = [&](const std::vector<Vec3>& points) {
        const Measured measured(scene, points);
        int count = 0;
        for (const Vec3 n : measured.particles.normal) count += n != Vec3{} ? 1 : 0;
        return count;
    };
    EXPECT_EQ(flagged(lattice(12, 1, 1, s)), 2);
    EXPECT_EQ(flagged(lattice(12, 12, 1, s)), 44);
}

// K-18
TEST(Surface, isNotOfGases) {
    Scene scene = sceneOf("steam");
    scene.fluids[0].params.surfaceTension = 1;
    const Measured measured(scene, lattice(5, 5, 5, scene.fluids[0].params.particleSpacing));
    for (const Vec3 n : measured.particles.normal) EXPECT_EQ(n, Vec3{});
    scene.fluids[0].params.surfaceTension = 0;
    const Measured without(scene, lattice(5, 5, 5, scene.fluids[0].params.particleSpacing));
    for (int i = 0; i < measured.count(); ++i) EXPECT_EQ(measured.a(i), without.a(i));
}

// K-21. The hand sum: n = V ∇W(d), ∇²c = V (∇²W(0) + ∇²W(d)), a = −σ ∇²c n/|n| / ρ.
TEST(SurfaceTension, countsTheParticleItself) {
    Scene scene = sceneOf("mucus");
    scene.solver.gravity = 0;
    scene.fluids[0].params.stiffness = 0;
    const double h = supportRadius(scene.fluids[0].params), sigma = 6, r2 = 0.25 * h * h;
    const Measured pair(scene, {{0, 0, 0}, {static_cast<float>(0.5 * h), 0, 0}});
    const double density = pair.particles.density[0], volume = particleMass(scene.fluids[0].params) / density;
    const double c = -945 / (32 * kPi * std::pow(h, 9));
    const double laplacian = volume * c * (h * h * 3 * h * h + (h * h - r2) * (3 * h * h - 7 * r2));
    // n of particle 0 points to particle 1, along +x.
    EXPECT_NEAR(pair.a(0).x / (-sigma * laplacian / density), 1, 1e-4);
    EXPECT_EQ(pair.particles.normal[0], (Vec3{-1, 0, 0}));
    EXPECT_EQ(Measured(scene, {{0, 0, 0}}).a(0), Vec3{});
}

// ---- the whole ------------------------------------------------------------------------------------------------

// K-52 K-54. All terms at once equal a direct sum over all pairs in double, densities unequal.
TEST(Forces, equalADirectSumOverAllPairs) {
    Scene scene = sceneOf("mucus");
    const FluidParams& params = scene.fluids[0].params;
    const std::vector<Vec3> points = cloud(params.particleSpacing);
    const std::vector<Vec3> velocities = randomVelocities(points.size());
    const Measured measured(scene, points, velocities);

    const double h = supportRadius(params), m = particleMass(params), c6 = kPi * std::pow(h, 6),
                 c9 = kPi * std::pow(h, 9);
    const size_t n = points.size();
    const auto r2 = [&](size_t i, size_t j) {
        const double dx = double(points[i].x) - points[j].x, dy = double(points[i].y) - points[j].y,
                     dz = double(points[i].z) - points[j].z;
        return dx * dx + dy * dy + dz * dz;
    };
    std::vector<double> rho(n, 0), p(n, 0);
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < n; ++j)
            if (r2(i, j) < h * h) rho[i] += m * 315 / (64 * c9) * std::pow(h * h - r2(i, j), 3);
        p[i] = params.stiffness * (rho[i] - params.restDensity);
    }
    double worst = 0, mean = 0;
    for (size_t i = 0; i < n; ++i) {
        double a[3] = {0, 0, -double(kGravity)}, gradient[3] = {0, 0, 0};
        double laplacian = m / rho[i] * -945 / (32 * c9) * 3 * std::pow(h, 4);
        for (size_t j = 0; j < n; ++j) {
            const double s = r2(i, j), r = std::sqrt(s);
            if (i == j || s >= h * h) continue;
            const double push =
                (p[i] / (rho[i] * rho[i]) + p[j] / (rho[j] * rho[j])) * m * 45 / c6 * (h - r) * (h - r) / r;
            const double drag = params.viscosity / rho[i] * m / rho[j] * 45 / c6 * (h - r);
            const double slope = m / rho[j] * -945 / (32 * c9) * (h * h - s) * (h * h - s);
            for (int k = 0; k < 3; ++k) {
                const double d = double(points[i][k]) - points[j][k];
                a[k] += push * d + drag * (double(velocities[j][k]) - velocities[i][k]);
                gradient[k] += slope * d;
            }
            laplacian += m / rho[j] * -945 / (32 * c9) * (h * h - s) * (3 * h * h - 7 * s);
        }
        const double g = std::sqrt(gradient[0] * gradient[0] + gradient[1] * gradient[1] + gradient[2] * gradient[2]);
        const bool surface = g >= surfaceThreshold(params);
        double error = 0, size = 0;
        for (int k = 0; k < 3; ++k) {
            if (surface) a[k] -= params.surfaceTension * laplacian * gradient[k] / g / rho[i];
            error += std::pow(a[k] - measured.a(static_cast<int>(i))[k], 2);
            size += a[k] * a[k];
        }
        worst = std::max(worst, std::sqrt(error));
        mean += std::sqrt(size) / double(n);
    }
    EXPECT_LT(worst / mean, 1e-4);  // float sums of some forty terms that largely cancel
}

// Two fluids meet: each has its own mass and kernel, both feel the other.
TEST(Forces, actBetweenFluids) {
    Scene scene = pressureOnly("water");
    scene.fluids.push_back(fluidOf("mucus"));
    scene.fluids[1].params.viscosity = 0;
    scene.fluids[1].params.surfaceTension = 0;
    Measured measured(scene, {{0, 0, 0}, {0.02f, 0, 0}});
    const float alone = measured.particles.density[0];
    measured.particles.body[1] = 1;
    computeDensity(measured.particles, measured.neighbors, measured.materials, measured.volume);
    applyForces(measured.particles, measured.neighbors, measured.materials, measured.volume);
    EXPECT_GT(measured.particles.density[0], alone);  // mucus particles are heavier
    EXPECT_GT(measured.a(0).x, 0);
    EXPECT_LT(measured.a(1).x, 0);
}

}  // namespace
}  // namespace purl
