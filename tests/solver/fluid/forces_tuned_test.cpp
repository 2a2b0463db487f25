#include <gtest/gtest.h>

#include <algorithm>

#include "solver/core/random.h"
#include "solver/fluid/density.h"
#include "solver/fluid/forces.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using namespace test;

Particles moving(const Scene& scene) {
    const float spacing = scene.fluids[0].params.particleSpacing;
    const bool plane = scene.solver.dimensions == 2;
    std::vector<Vec3> points =
        jittered(plane ? lattice(57, 43, 1, spacing) : lattice(17, 13, 11, spacing), 0.3f * spacing);
    if (plane)
        for (Vec3& point : points) point.z = 0;
    points.push_back({-20 * spacing, 0, 0});
    points.push_back({40 * spacing, 0, 0});
    points.push_back(points.back());  // two at one place
    Particles particles = stateOf(points).particles;
    for (int i = 0; i < particles.count(); ++i) {
        const auto seed = static_cast<uint64_t>(i);
        particles.v[i] = {randomUnit(seed, 10) - 0.5f, randomUnit(seed, 11) - 0.5f, randomUnit(seed, 12) - 0.5f};
    }
    return particles;
}

enum class Loop { plain, tuned };

Particles accelerated(const Scene& scene, Loop loop, int threads = 2) {
    const Device device = Device::cpu(threads);
    Particles particles = moving(scene);
    Materials materials(device);
    Neighbors neighbors(device);
    Buffer<float> volume(device);
    materials.set(scene);
    neighbors.build(particles.x, materials.searchRadius);
    computeDensityPlain(particles, neighbors, materials, volume);
    if (loop == Loop::tuned)
        applyForces(particles, neighbors, materials, volume);
    else
        applyForcesPlain(particles, neighbors, materials, volume);
    return particles;
}

// K-10 K-11 K-13 K-19 K-21 B-06. Sums of many terms of either sign: relative to the largest there is.
TEST(ForcesTuned, areThePlainForcesToRounding) {
    struct Case {
        const char* preset;
        int dimensions;
    };
    for (const auto& [preset, dimensions] : {Case{"water", 3}, {"mucus", 3}, {"steam", 3}, {"water", 2}, {"mucus", 2}})
        for (const PressureForm form : {PressureForm::symmetric, PressureForm::mean, PressureForm::basic}) {
            Scene scene = sceneOf(preset);
            scene.solver.dimensions = dimensions;
            scene.fluids[0].params.drag = 0.5f;
            scene.fluids[0].params.reference.pressureForm = form;
            const Particles tuned = accelerated(scene, Loop::tuned), plain = accelerated(scene, Loop::plain);
            float largest = 0;
            for (const Vec3 a : plain.a) largest = std::max(largest, length(a));
            EXPECT_GT(largest, 1) << preset;
            for (int i = 0; i < plain.count(); ++i) {
                EXPECT_LE(length(tuned.a[i] - plain.a[i]), 1e-5f * largest) << preset << " " << i;
                EXPECT_LE(length(tuned.normal[i] - plain.normal[i]), 1e-4f) << preset << " " << i;
            }
        }
}

// K-78
TEST(ForcesTuned, haveTheSameBitsForAnyNumberOfThreads) {
    const Scene scene = sceneOf("water");
    const Particles first = accelerated(scene, Loop::tuned, 1);
    for (const int threads : {2, 3, 7}) {
        const Particles other = accelerated(scene, Loop::tuned, threads);
        for (int i = 0; i < first.count(); ++i) EXPECT_EQ(other.a[i], first.a[i]) << threads;
    }
}

}  // namespace
}  // namespace purl
