#include "solver/boundary/boundaryKernel.h"

#include <gtest/gtest.h>

#include <cmath>

namespace purl {
namespace {

constexpr double kPi = 3.14159265358979323846;

double poly6(double r, double h) { return 315 / (64 * kPi * std::pow(h, 9)) * std::pow(h * h - r * r, 3); }

TEST(BoundaryKernel, halfSpaceAtItsFaceIsHalfOfAll) {
    for (const float h : {0.04f, 2.0f}) {
        const BoundaryKernel spline = BoundaryKernel::cubicSpline(h);
        EXPECT_NEAR(spline.shareAt(0), 0.5f, 1e-6f);  // by symmetry; rounding
        EXPECT_NEAR(spline.shareAt(-h), 1, 1e-6f);    // all of the kernel; rounding
        EXPECT_EQ(spline.shareAt(h), 0);
        EXPECT_EQ(spline(h), 0);
        EXPECT_EQ(spline(2 * h), 0);
    }
}

TEST(BoundaryKernel, sharesAreTheIntegralsOfLayers) {
    const BoundaryKernel W = BoundaryKernel::cubicSpline(1);
    // A difference over 0.05 instead of a derivative: 1.7e-3 at most, where λ is most curved.
    for (float d = -0.95f; d < 0.9f; d += 0.05f)
        EXPECT_NEAR((W.shareAt(d) - W.shareAt(d + 0.05f)) / 0.05f, W.layerAt(d + 0.025f), 5e-3f) << d;
    // λ(0) of the cubic spline: 2π · 8/π ∫ W̃ q dq = 16 · 7/80
    EXPECT_NEAR(W.layerAt(0), 1.4f, 1e-5f);
}

// B-56. The point contributes the half-space's share of the density and of its gradient at any distance, in front or
// behind.
TEST(BoundaryKernel, onePointRepresentsAHalfSpace) {
    const float h = 0.05f;
    for (const bool spline : {true, false}) {
        const BoundaryKernel W =
            spline ? BoundaryKernel::cubicSpline(h) : BoundaryKernel(h, [&](double r) { return poly6(r, h); });
        for (float d = -0.9f * h; d < 0.9f * h; d += 0.07f * h) {
            const Vec3 x{0.3f, d, -2};
            const BoundarySample point = standIn(W, x, W.shareAt(d), {0, -W.layerAt(d), 0});
            const float r = x.y - point.x.y, step = 0.02f * h;
            EXPECT_GE(r, 0) << d;
            EXPECT_EQ(point.x.x, x.x);
            EXPECT_NEAR(point.volume * W(r), W.shareAt(d), 1e-6f) << d;  // rounding
            if (r < step || r > 0.95f * h) continue;
            const float slope = (W(r - step) - W(r + step)) / (2 * step);
            // 0.3 %, of the slope taken over 0.04 h and of the table that finds the point.
            EXPECT_NEAR(point.volume * slope * h, W.layerAt(d) * h, 0.01f * W.layerAt(d) * h + 2e-3f) << d;
        }
        // Far inside and just within reach volumes stay of the order of the support's ball.
        for (const float d : {-0.999f * h, 0.999f * h}) {
            const BoundarySample point = standIn(W, {}, W.shareAt(d), {0, -W.layerAt(d), 0});
            EXPECT_LT(point.volume, 5 * h * h * h);
            EXPECT_TRUE(isFinite(point.x));
        }
    }
}

}  // namespace
}  // namespace purl
