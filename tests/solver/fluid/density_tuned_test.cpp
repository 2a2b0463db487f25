#include <gtest/gtest.h>

#include <cmath>

#include "solver/fluid/density.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using namespace test;

// Of one fluid, with particles on all sides, some alone, two at one place.
struct Splash {
    Particles particles;
    Materials materials;
    Neighbors neighbors;
    Buffer<float> volume;

    explicit Splash(const std::string& preset, int threads = 2)
        : materials(Device::cpu(threads)), neighbors(Device::cpu(threads)), volume(Device::cpu(threads)) {
        const Scene scene = sceneOf(preset);
        const float spacing = scene.fluids[0].params.particleSpacing;
        std::vector<Vec3> points = jittered(lattice(17, 13, 11, spacing), 0.3f * spacing);
        points.push_back({-20 * spacing, 0, 0});
        points.push_back({40 * spacing, 0, 0});
        points.push_back(points.back());
        particles = stateOf(points).particles;
        materials.set(scene);
        neighbors.build(particles.x, materials.searchRadius);
    }
};

// K-07 K-08
TEST(DensityTuned, isThePlainDensityToRounding) {
    for (const char* preset : {"water", "mucus", "steam"}) {
        Splash tuned(preset), plain(preset);
        computeDensity(tuned.particles, tuned.neighbors, tuned.materials, tuned.volume);
        computeDensityPlain(plain.particles, plain.neighbors, plain.materials, plain.volume);
        for (int i = 0; i < plain.particles.count(); ++i) {
            const float density = plain.particles.density[i];
            EXPECT_NEAR(tuned.particles.density[i], density, 1e-5f * density) << preset << " " << i;
            EXPECT_NEAR(tuned.volume[i], plain.volume[i], 1e-5f * plain.volume[i]) << preset << " " << i;
            // Pressure is a difference of densities.
            const FluidConstants& fluid = plain.materials.fluids[0];
            EXPECT_NEAR(tuned.particles.pressure[i], plain.particles.pressure[i],
                        1e-5f * density * std::max(fluid.stiffness, fluid.attraction));
        }
    }
}

// K-78
TEST(DensityTuned, hasTheSameBitsForAnyNumberOfThreads) {
    Splash first("water", 1);
    computeDensity(first.particles, first.neighbors, first.materials, first.volume);
    for (const int threads : {2, 3, 7}) {
        Splash other("water", threads);
        computeDensity(other.particles, other.neighbors, other.materials, other.volume);
        for (int i = 0; i < first.particles.count(); ++i)
            EXPECT_EQ(other.particles.density[i], first.particles.density[i]) << threads;
    }
}

}  // namespace
}  // namespace purl
