#include "solver/fluid/separate.h"

#include <gtest/gtest.h>

#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using namespace test;

// K-56
TEST(SeparateCoincident, movesTheNewerAsideALittle) {
    const Scene scene = sceneOf("water");
    const float s = scene.fluids[0].params.particleSpacing;
    const std::vector<Vec3> points{{0, 0, 0}, {0, 0, 0}, {s, 0, 0}, {0, 0, 0}};
    Measured measured(scene, points);
    EXPECT_EQ(separateCoincident(measured.particles, measured.neighbors, measured.materials, 0), 2);
    const Buffer<Vec3>& x = measured.particles.x;
    EXPECT_EQ(x[0], points[0]);
    EXPECT_EQ(x[2], points[2]);
    EXPECT_NEAR(length(x[1]), 1e-3f * s, 1e-5f * s);
    EXPECT_NEAR(length(x[3]), 1e-3f * s, 1e-5f * s);
    EXPECT_NE(x[1], x[3]);
    EXPECT_EQ(separateCoincident(measured.particles, measured.neighbors, measured.materials, 0), 0);
}

// K-56
TEST(SeparateCoincident, leavesOldParticlesAlone) {
    Measured measured(sceneOf("water"), {{0, 0, 0}, {0, 0, 0}});
    EXPECT_EQ(separateCoincident(measured.particles, measured.neighbors, measured.materials, 2), 0);
    EXPECT_EQ(measured.particles.x[1], Vec3{});
}

}  // namespace
}  // namespace purl
