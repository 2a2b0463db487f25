// Surface tension by a colour field: what it does to the shape of a blob.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/solver/fluidRuns.h"

namespace purl {
namespace {

using namespace test;

// Square roots of the largest, middle and smallest eigenvalue of the positions' covariance (closed form for 3 × 3).
struct Spread {
    double largest, middle, smallest;

    explicit Spread(const std::vector<Vec3>& points) {
        double mean[3] = {0, 0, 0}, c[3][3] = {};
        for (const Vec3 p : points)
            for (int a = 0; a < 3; ++a) mean[a] += p[a] / double(points.size());
        for (const Vec3 p : points)
            for (int a = 0; a < 3; ++a)
                for (int b = 0; b < 3; ++b) c[a][b] += (p[a] - mean[a]) * (p[b] - mean[b]) / double(points.size());
        const double q = (c[0][0] + c[1][1] + c[2][2]) / 3;
        double p2 = 0;
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) p2 += std::pow(c[a][b] - (a == b ? q : 0), 2);
        const double p = std::sqrt(p2 / 6);
        double b[3][3];
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) b[i][j] = (c[i][j] - (i == j ? q : 0)) / p;
        const double det = b[0][0] * (b[1][1] * b[2][2] - b[1][2] * b[2][1]) -
                           b[0][1] * (b[1][0] * b[2][2] - b[1][2] * b[2][0]) +
                           b[0][2] * (b[1][0] * b[2][1] - b[1][1] * b[2][0]);
        const double angle = std::acos(std::clamp(det / 2, -1.0, 1.0)) / 3;
        const double high = q + 2 * p * std::cos(angle), low = q + 2 * p * std::cos(angle + 2 * kPi / 3);
        largest = std::sqrt(high);
        smallest = std::sqrt(std::max(low, 0.0));
        middle = std::sqrt(std::max(3 * q - high - low, 0.0));
    }
};

// K-22
TEST(SurfaceTension, roundsABlob) {
    const auto elongation = [](float surfaceTension) {
        Scene scene = sceneOf("mucus");
        scene.solver.gravity = 0;
        scene.fluids[0].params.surfaceTension = surfaceTension;
        const float s = spacingOf(scene);
        const std::vector<Vec3> block = jittered(lattice(20, 7, 7, s), 0.05f * s);
        EXPECT_GT(Spread(block).largest / Spread(block).smallest, 2.8);
        const Simulator simulator = playFrom(scene, block, 6);
        const Spread spread(simulator.frame().points.positions);
        return spread.largest / spread.smallest;
    };
    // A sphere has 1, the block 2.88 at the start: 1.26 with tension, 2.57 without.
    EXPECT_LT(elongation(6), 1.7);
    EXPECT_GT(elongation(0), 2.3);
}

// K-72. A defect of the method, kept in a test so that an improvement is noticed: a flat sheet neither becomes a disc
// nor calms down.
TEST(SurfaceTension, doesNotRoundAFlatSheet) {
    Scene scene = sceneOf("mucus");
    scene.solver.gravity = 0;
    const float s = spacingOf(scene);
    std::vector<Vec3> sheet = jittered(lattice(24, 10, 1, s), 0.05f * s);
    for (Vec3& p : sheet) p.z = 0;
    double elongation = 0;
    int samples = 0;
    const Simulator simulator = playFrom(scene, sheet, 20, [&](const Frame& frame) {
        if (frame.time < 5) return;
        const Spread spread(frame.points.positions);
        elongation += spread.largest / spread.middle;
        ++samples;
    });
    // The sheet tumbles chaotically: its elongation at one time is anything from 1.3 to 19, but the mean over 15 s is
    // at least 3.6 for six seeds of the jitter. It is 2.4 at the start; a disc has 1.
    EXPECT_GT(elongation / samples, 2);
    EXPECT_GT(simulator.frame().stats.kineticEnergy, 0.1);  // 2.9 J; at rest it would have none
}

}  // namespace
}  // namespace purl
