#include "solver/fluid/density.h"

#include <gtest/gtest.h>

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
        EXPECT_NEAR(measured.particles.density[0] / scene.fluids[0].params.restDensity, share, 1e-6) << preset;
    }
}

// K-07
TEST(Density, insideALatticeIsNearRest) {
    for (const auto& [preset, ratio] : {std::pair{"water", 0.96288}, {"mucus", 1.01512}, {"steam", 0.96756}}) {
        const Scene scene = sceneOf(preset);
        const FluidParams& params = scene.fluids[0].params;
        const Measured measured(scene, lattice(kSide, kSide, kSide, params.particleSpacing));
        EXPECT_NEAR(measured.particles.density[latticeIndex(6, 6, 6)] / params.restDensity, ratio, 1e-4) << preset;
    }
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
    EXPECT_NEAR(atRest, 0.963f, 1e-3f);
    EXPECT_NEAR(own, 1, 1e-5f);
}

// K-08
TEST(Pressure, isLinearInDensityAndNotClamped) {
    const FluidConstants water = constantsOf(fluidPreset("water"));
    EXPECT_EQ(pressureAt(water.restDensity, water), 0);
    EXPECT_NEAR(pressureAt(water.restDensity + 100, water), 300, 1e-2f);
    EXPECT_NEAR(pressureAt(water.restDensity - 100, water), -300, 1e-2f);
    const Measured lone(sceneOf("water"), {{0, 0, 0}});
    EXPECT_NEAR(lone.particles.pressure[0], 3 * (0.328125f - 1) * 998.29f, 0.1f);
}

// K-09
TEST(Pressure, hasAStiffnessOfItsOwnBelowRestDensity) {
    FluidParams params = fluidPreset("water");
    params.attraction = 0.25f;
    const FluidConstants fluid = constantsOf(params);
    EXPECT_NEAR(pressureAt(fluid.restDensity - 100, fluid), -75, 1e-2f);
    EXPECT_NEAR(pressureAt(fluid.restDensity + 100, fluid), 300, 1e-2f);
}

}  // namespace
}  // namespace purl
