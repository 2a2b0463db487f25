#include "solver/soft/displaySurface.h"

#include <gtest/gtest.h>

#include "tests/solver/soft/softBodies.h"

namespace purl {
namespace {

using test::oneThread;

SoftBody ball() { return test::bodyOf(sphereMesh({}, 0.5f, 3)); }

std::vector<Vec3> smoothedSurface(const SoftBody& body, const std::vector<Vec3>& x) {
    const auto count = static_cast<int>(x.size());
    return displaySurface(oneThread(), body, {body.points.data(), count}, {x.data(), count});
}

// Rigid motion leaves the surface unchanged, up to rounding.
TEST(DisplaySurface, preservesRigidMotion) {
    const SoftBody body = ball();
    const Mat3 turn{{0, 0.6f, 0.8f}, {-1, 0, 0}, {0, -0.8f, 0.6f}};
    std::vector<Vec3> x;
    for (const Vec3 p : body.points) x.push_back(turn * p + Vec3{1, 2, 3});
    const std::vector<Vec3> surface = smoothedSurface(body, x);
    for (size_t i = 0; i < x.size(); ++i) EXPECT_LT(length(surface[i] - x[i]), 1e-5f);
}

// A single vertex displaced by 0.1 m keeps about a quarter of that; far away nothing changes.
TEST(DisplaySurface, removesSpikes) {
    const SoftBody body = ball();
    std::vector<Vec3> x = body.points;
    const Vec3 out = 0.1f * normalized(x[100]);
    x[100] += out;
    const std::vector<Vec3> surface = smoothedSurface(body, x);
    EXPECT_LT(length(surface[100] - body.points[100]), 0.3f * length(out));
    for (size_t i = 0; i < x.size(); ++i) {
        EXPECT_LT(length(surface[i] - body.points[i]), 0.3f * length(out));
        const bool far = length(body.points[i] - body.points[100]) > 0.6f;
        EXPECT_LT(length(surface[i] - x[i]), far ? 1e-5f : 0.1f);
    }
}

// A sphere flattened between two plates stays flat, within a hundredth of its size.
TEST(DisplaySurface, keepsAFlattenedShape) {
    const SoftBody body = ball();
    std::vector<Vec3> x = body.points;
    for (Vec3& p : x) p.y = clamp(p.y, -0.4f, 0.4f);
    const std::vector<Vec3> surface = smoothedSurface(body, x);
    for (size_t i = 0; i < x.size(); ++i) EXPECT_LT(length(surface[i] - x[i]), 0.01f);
}

TEST(DisplaySurface, keepsPinsInPlace) {
    SoftBody body = ball();
    body.pins.resize(body.points.size());
    body.pins[7] = 1;
    std::vector<Vec3> x = body.points;
    x[7] += Vec3{0.2f, 0, 0};
    EXPECT_EQ(smoothedSurface(body, x)[7], x[7]);
}

}  // namespace
}  // namespace purl
