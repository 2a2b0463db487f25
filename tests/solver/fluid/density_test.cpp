#include "solver/fluid/density.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using namespace test;

constexpr int kSide = 12;
int latticeIndex(int x, int y, int z) { return (z * kSide + y) * kSide + x; }

// K-07. A particle alone has m W(0) = 6.5625 ρ₀ / x.
TEST(Density, ofALoneParticleIsItsOwnShare) {
    for (const auto& [preset, share] : {std::pair{"water", 0.328125}, {"mucus", 0.1640625}, {"steam", 0.546875}}) {
        const Scene scene = sceneOf(preset);
        const Measured measured(scene, {{0.1f, 0.2f, 0.3f}});
        // Rounding.
        EXPECT_NEAR(measured.particles.density[0] / scene.fluids[0].params.restDensity, share, 1e-6) << preset;
    }
}

// K-07 B-08
TEST(Density, insideALatticeIsNearRest) {
    for (const auto& [preset, ratio] : {std::pair{"water", 0.96288}, {"mucus", 1.01512}, {"steam", 0.96756}}) {
        const Scene scene = sceneOf(preset);
        const FluidParams& params = scene.fluids[0].params;
        const Measured measured(scene, lattice(kSide, kSide, kSide, params.particleSpacing));
        // Rounding.
        EXPECT_NEAR(measured.particles.density[latticeIndex(6, 6, 6)] / params.restDensity, ratio, 1e-4) << preset;
    }
}

// B-08. Two particles: m (W(0) + W(d)).
TEST(Density, ofAPairIsBothShares) {
    const Scene scene = sceneOf("water");
    const FluidConstants fluid = constantsOf(scene.fluids[0].params);
    const Measured measured(scene, {{0, 0, 0}, {0.01f, 0, 0}});
    EXPECT_FLOAT_EQ(measured.particles.density[0], fluid.mass * (fluid.poly6(0) + fluid.poly6(0.01f * 0.01f)));
    EXPECT_EQ(measured.particles.density[0], measured.particles.density[1]);
}

// B-04 B-05 B-08 G-17 O-40. The spiky kernel peaks, so that a lattice with h of two spacings would weigh 1.2359 ρ₀; one
// kernel for all is scaled to give ρ₀.
TEST(Density, ofALatticeIsRestDensityByEitherKernelForAll) {
    double sum = 0;
    const Spiky W(2);
    forEachSite(1, 2, 3, [&](double r) { sum += double(W(static_cast<float>(r))); });
    EXPECT_NEAR(sum, 1.2359, 5e-5);  // the four decimals given
    for (const SmoothingKernel kernel :
         {SmoothingKernel::spiky, SmoothingKernel::cubicSpline, SmoothingKernel::wendland}) {
        Scene scene = sceneOf("water");
        FluidParams& params = scene.fluids[0].params;
        params.wcsph.kernel = kernel;
        params.wcsph.kernelParticles = 33.5f;  // h = 2 spacings
        const Measured measured(scene, lattice(kSide, kSide, kSide, params.particleSpacing));
        EXPECT_NEAR(measured.particles.density[latticeIndex(6, 6, 6)] / params.restDensity, 1, 1e-6);  // rounding
        // In m/s²: forces of 1e3 cancel to rounding.
        EXPECT_NEAR(length(measured.a(latticeIndex(6, 6, 6)) - Vec3{0, 0, -kGravity}), 0, 1e-3f);
        EXPECT_GT(measured.a(latticeIndex(6, 6, 0)).z - measured.a(latticeIndex(6, 6, 11)).z, 0);  // attraction
    }
}

// B-07. A = 1 and a linear A, from a lattice: value, gradient and Laplacian, which of a linear A is zero.
TEST(Interpolation, givesValueGradientAndLaplacianOfALinearField) {
    Scene scene = sceneOf("water");
    FluidParams& params = scene.fluids[0].params;
    params.wcsph.kernelParticles = 80;
    const Measured measured(scene, lattice(kSide, kSide, kSide, params.particleSpacing));
    const int inside = latticeIndex(6, 5, 6);
    const Poly6 w(supportRadius(params));
    const float volume = particleMass(params) > 0 ? measured.materials.fluids[0].mass / params.restDensity : 0;
    const auto A = [&](int j) { return 3 + 20 * measured.particles.x[j].x; };
    float one = volume * w(0), value = volume * A(inside) * w(0), bend = volume * A(inside) * w.laplacian(0);
    float flatBend = volume * w.laplacian(0);
    Vec3 slope;
    measured.neighbors.view().forEach(inside, [&](int j, Vec3 d, float r2) {
        one += volume * w(r2);
        value += volume * A(j) * w(r2);
        slope += (volume * A(j) * w.gradientFactor(r2)) * d;
        bend += volume * A(j) * w.laplacian(r2);
        flatBend += volume * w.laplacian(r2);
    });
    EXPECT_NEAR(one, 1, 0.01f);                // 0.6 %: a sum over a lattice is not the integral of the kernel
    EXPECT_NEAR(value / A(inside), 1, 0.01f);  // the same 0.6 %: a linear field is symmetric about the point
    EXPECT_NEAR(slope.x, 20, 0.5);             // 1.3 %, of the same sum
    EXPECT_NEAR(slope.y, 0, 1e-3);             // by symmetry; rounding
    // A linear field bends as much as a constant of the same height: what is left is the lattice's.
    EXPECT_NEAR(bend, A(inside) * flatBend, 1e-3f * std::fabs(A(inside) * volume * w.laplacian(0)));
}

// K-01. Σ V W over a lattice's inside: with the rest volume it is the lattice's 0.963, with the particles' own
// exactly 1.
TEST(Interpolation, ofAConstantGivesTheConstant) {
    const Scene scene = sceneOf("water");
    const FluidParams& params = scene.fluids[0].params;
    const Measured measured(scene, lattice(kSide, kSide, kSide, params.particleSpacing));
    const int inside = latticeIndex(5, 6, 6);
    const Poly6 w(supportRadius(params));
    const float restVolume = params.particleSpacing * params.particleSpacing * params.particleSpacing;
    float atRest = restVolume * w(0), own = measured.volume[inside] * w(0);
    measured.neighbors.view().forEach(inside, [&](int j, Vec3, float r2) {
        atRest += restVolume * w(r2);
        own += measured.volume[j] * w(r2);
    });
    EXPECT_NEAR(atRest, 0.963f, 1e-3f);  // the three decimals given
    EXPECT_NEAR(own, 1, 1e-5f);          // rounding
}

// K-08 B-09 G-18 O-40
TEST(Pressure, isLinearInDensityAndNotClamped) {
    const FluidConstants water = constantsOf(fluidPreset("water"));
    EXPECT_EQ(pressureAt(water.restDensity, water), 0);
    EXPECT_NEAR(pressureAt(water.restDensity + 100, water), 300, 1e-2f);  // rounding of 1100 × 3
    EXPECT_NEAR(pressureAt(water.restDensity - 100, water), -300, 1e-2f);
    const Measured lone(sceneOf("water"), {{0, 0, 0}});
    EXPECT_NEAR(lone.particles.pressure[0], 3 * (0.328125f - 1) * 998.29f, 0.001f);  // rounding
}

// K-09 B-09
TEST(Pressure, hasAStiffnessOfItsOwnBelowRestDensity) {
    FluidParams params = fluidPreset("water");
    params.wcsph.attraction = 0.25f;
    const FluidConstants fluid = constantsOf(params);
    EXPECT_NEAR(pressureAt(fluid.restDensity - 100, fluid), -75, 1e-2f);
    EXPECT_NEAR(pressureAt(fluid.restDensity + 100, fluid), 300, 1e-2f);
}

}  // namespace
}  // namespace purl
