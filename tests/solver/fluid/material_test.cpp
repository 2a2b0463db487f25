#include "solver/fluid/material.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solver/core/error.h"
#include "solver/fluid/density.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

// K-24
TEST(Material, massVolumeAndCountGiveEachOther) {
    FluidParams params;
    params.restDensity = 1000;
    params.particleSpacing = static_cast<float>(std::cbrt(0.1 / 5000));  // 0.1 m³ as 5000 particles
    EXPECT_NEAR(particleMass(params), 0.02, 0.02 * 1e-6);                // rounding of the spacing
    EXPECT_NEAR(0.1 * params.restDensity / particleMass(params), 5000, 0.01);

    params.restDensity = 998.29f;
    for (const auto& [count, mass] : {std::pair{100, 0.9983}, {200, 0.4991}, {400, 0.2496}, {800, 0.1248}}) {
        params.particleSpacing = static_cast<float>(std::cbrt(0.1 / count));
        EXPECT_NEAR(particleMass(params), mass, 5e-5);  // the four decimals given
    }
}

// K-25
TEST(Material, supportRadiusHoldsTheKernelParticles) {
    EXPECT_NEAR(supportRadius(fluidPreset("water")), 0.045734, 1e-6);  // the six decimals given
    EXPECT_NEAR(supportRadius(fluidPreset("mucus")), 0.072557, 1e-6);
    EXPECT_NEAR(supportRadius(fluidPreset("steam")), 0.062384, 1e-6);
}

// L-42. pbf's kernel reaches four radii of a particle, whatever the radius: a neighbour just nearer adds to the density
// that the particle has alone, one just farther does not. Search cells are no narrower, so that no pair is missed.
TEST(Material, kernelAndCellsFollowTheRadius) {
    Scene scene;
    scene.solver.pressureSolver = PressureSolver::pbf;
    scene.fluids.push_back(test::fluidOf("purlWater"));
    for (const float radius : {0.001f, 0.01f, 0.3f}) {
        scene.fluids[0].params.particleSpacing = 2 * radius;
        const auto density = [&](float distance) {
            return test::Measured(scene, {{0, 0, 0}, {distance, 0, 0}}).particles.density[0];
        };
        const float alone = density(100 * radius);
        EXPECT_GT(density(3.8f * radius), alone) << radius;
        EXPECT_EQ(density(4.01f * radius), alone) << radius;
        const double h = supportRadius(scene, scene.fluids[0].params);
        EXPECT_GE(Neighbors::cellSize(static_cast<float>(h)), h) << radius;
        // Wider cells would hold more candidates than needed; 1e-6 is a margin for rounding.
        EXPECT_LE(Neighbors::cellSize(static_cast<float>(h)), (1 + 1e-5) * h) << radius;
    }
}

// K-27 K-28: the tables of the report, number for number; stiffness is a constant of the material.
TEST(FluidPresets, areTheReportsTables) {
    struct Row {
        const char* name;
        FluidKind kind;
        double restDensity, mass, buoyancy, viscosity, tension, stiffness, restitution, kernelParticles;
    };
    const Row rows[] = {
        {"water", FluidKind::liquid, 998.29, 0.02, 0, 3.5, 0.0728, 3, 0, 20},
        {"nearIncompressibleWater", FluidKind::liquid, 998.29, 0.02, 0, 3.5, 0.0728, 100, 0, 20},
        {"mucus", FluidKind::liquid, 1000, 0.04, 0, 36, 6, 5, 0.5, 40},
        {"steam", FluidKind::gas, 0.59, 5e-5, 5, 0.01, 0, 4, 0, 12},
    };
    for (const Row& row : rows) {
        const FluidParams params = fluidPreset(row.name);
        EXPECT_EQ(params.kind, row.kind) << row.name;
        EXPECT_FLOAT_EQ(params.restDensity, static_cast<float>(row.restDensity)) << row.name;
        EXPECT_NEAR(particleMass(params), row.mass, 1e-6 * row.mass) << row.name;
        EXPECT_FLOAT_EQ(params.buoyancy, static_cast<float>(row.buoyancy)) << row.name;
        EXPECT_FLOAT_EQ(params.viscosity, static_cast<float>(row.viscosity)) << row.name;
        EXPECT_FLOAT_EQ(params.surfaceTension, static_cast<float>(row.tension)) << row.name;
        EXPECT_FLOAT_EQ(params.stiffness, static_cast<float>(row.stiffness)) << row.name;
        EXPECT_FLOAT_EQ(params.restitution, static_cast<float>(row.restitution)) << row.name;
        EXPECT_FLOAT_EQ(params.wcsph.kernelParticles, static_cast<float>(row.kernelParticles)) << row.name;
        EXPECT_EQ(params.wcsph.attraction, 1) << row.name;
    }
}

TEST(FluidPresets, allPassTheirOwnLimits) {
    for (const FluidPreset& preset : fluidPresets()) EXPECT_NO_THROW(checkParams(preset.name, preset.params));
    EXPECT_TRUE(sameParams(fluidPreset("purlWater"), FluidParams{}));
}

TEST(FluidPresets, nameEachOtherWhenAskedForAStranger) {
    try {
        fluidPreset("mercury");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()),
                  "there is no fluid preset \"mercury\"; there are: " + joinedNames(fluidPresets()));
    }
}

// K-20
TEST(Material, surfaceThresholdFollowsFromDensityUnlessSet) {
    EXPECT_NEAR(surfaceThreshold(fluidPreset("water")), 7.065, 0.001);  // the decimals given
    EXPECT_NEAR(surfaceThreshold(fluidPreset("mucus")), 5.000, 0.001);
    FluidParams params = fluidPreset("water");
    params.surfaceThreshold = 12;
    EXPECT_EQ(surfaceThreshold(params), 12);
}

// K-29
TEST(Material, stepLimitsAreTheGuides) {
    EXPECT_NEAR(stepLimit(fluidPreset("water")), 10.56e-3, 0.01e-3);  // the digits given
    EXPECT_NEAR(stepLimit(fluidPreset("mucus")), 12.98e-3, 0.01e-3);
    EXPECT_NEAR(stepLimit(fluidPreset("steam")), 12.48e-3, 0.01e-3);
    EXPECT_NEAR(stepLimit(fluidPreset("nearIncompressibleWater")), 1.829e-3, 0.001e-3);
    FluidParams syrup = fluidPreset("water");
    syrup.viscosity = 100;
    EXPECT_NEAR(stepLimit(syrup), 1.5 * 998.29 * 0.045734 * 0.045734 / (15 * 100), 1e-6);
    syrup.viscosity = 0;
    syrup.stiffness = 0;
    EXPECT_EQ(stepLimit(syrup), kUnbounded);
}

// K-06 K-76
TEST(Materials, areRemadeFromTheSceneEachTime) {
    Scene scene;
    scene.solver.pressureSolver = PressureSolver::wcsph;
    scene.fluids.resize(2);
    scene.fluids[0].params = fluidPreset("water");
    scene.fluids[1].params = fluidPreset("mucus");
    Materials materials;
    materials.set(scene);
    EXPECT_FLOAT_EQ(materials.searchRadius, static_cast<float>(supportRadius(scene.fluids[1].params)));
    EXPECT_FLOAT_EQ(materials.fluids[0].poly6.h2, square(static_cast<float>(supportRadius(scene.fluids[0].params))));
    scene.fluids[0].params.wcsph.kernelParticles = 80;
    scene.solver.gravityDirection = {0, 0, -2};
    materials.set(scene);
    EXPECT_FLOAT_EQ(materials.fluids[0].spiky.h, static_cast<float>(supportRadius(scene.fluids[0].params)));
    EXPECT_FLOAT_EQ(materials.gravity.z, -9.81f);
}

// Half a spacing before a plane the steep kernel adds what the fluid's own layers would, and is steeper by the factor.
TEST(Materials, towardsWallsTheKernelIsSteeper) {
    const double spacing = 0.02;
    const CubicSpline W(2 * spacing), steep = steepWallSpline(W, spacing, 2.25);
    double value[2] = {}, slope[2] = {};
    for (int y = 1; y <= 2; ++y)
        for (int z = -2; z <= 2; ++z)
            for (int x = -2; x <= 2; ++x) {
                const auto r = static_cast<float>(spacing * std::sqrt(double(x * x + y * y + z * z)));
                value[0] += double(W(r)), slope[0] += double(W.gradientFactor(r)) * y;
                value[1] += double(steep(r)), slope[1] += double(steep.gradientFactor(r)) * y;
            }
    EXPECT_NEAR(value[1] / value[0], 1, 1e-6);                // rounding
    EXPECT_NEAR(slope[1] / slope[0], 2.25, 1e-5);             // the steepness asked for; rounding
    EXPECT_NEAR(shareOfLayers(steep, spacing), 0.15, 0.001);  // 0.1497: what the layers behind a wall give at rest
    EXPECT_LT(steep.h, W.h);
}

// Tait's equation is as steep as the linear one at rest, and steeper beyond; below rest nothing changes.
TEST(Materials, taitResistsStrongCompressionMore) {
    FluidParams params;
    const FluidConstants linear = constantsOf(params);
    params.wcsph.stateEquation = StateEquation::tait;
    const FluidConstants tait = constantsOf(params);
    const float rho = params.restDensity;
    // 3e-4: half of 7 - 1 times the compression of 1e-4.
    EXPECT_NEAR(pressureAt(1.0001f * rho, tait) / pressureAt(1.0001f * rho, linear), 1, 0.001);
    EXPECT_NEAR(pressureAt(1.1f * rho, tait), 100.0 * rho / 7 * (std::pow(1.1, 7) - 1), 1e-4 * 100 * rho);
    EXPECT_EQ(pressureAt(0.9f * rho, tait), pressureAt(0.9f * rho, linear));
}

}  // namespace
}  // namespace purl
