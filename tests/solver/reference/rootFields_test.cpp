#include "solver/reference/rootFields.h"

#include <gtest/gtest.h>

#include "tests/solver/surface/surfaces.h"

namespace purl {
namespace {

Buffer<Vec3> bufferOf(const std::vector<Vec3>& values) {
    Buffer<Vec3> buffer(Device::cpu(), static_cast<int>(values.size()));
    std::copy(values.begin(), values.end(), buffer.begin());
    return buffer;
}

// B-70. s = 1 − (Rᵢ + R/2) by plain loops, with the true largest R; smaller at the surface of a ball than in its core.
TEST(SurfaceValue, isOneLessMeanNormalLengthAndSmallestAtTheSkin) {
    const float h = 2.67f;
    const std::vector<Vec3> ball = latticeBall(1, 6);
    const Buffer<Vec3> x = bufferOf(ball);
    Neighbors neighbors;
    neighbors.build(x, h);
    Buffer<float> values;
    const float most = surfaceValues(neighbors, h, values);

    const auto around = [&](size_t i, const auto& visit) {
        for (size_t j = 0; j < ball.size(); ++j)
            if (length(ball[i] - ball[j]) <= h) visit(j);
    };
    std::vector<double> lengths(ball.size()), means(ball.size());
    for (size_t i = 0; i < ball.size(); ++i) {
        Vec3 sum;
        int count = 0;
        around(i, [&](size_t j) { sum += ball[j], ++count; });
        lengths[i] = double(length(ball[i] - sum / float(count)));
    }
    double largest = 0;
    for (size_t i = 0; i < ball.size(); ++i) {
        int count = 0;
        around(i, [&](size_t j) { means[i] += lengths[j], ++count; });
        means[i] /= count * double(h);
        largest = std::max(largest, means[i]);
    }
    EXPECT_NEAR(most, largest, 1e-5);
    double skin = 0, core = 1;
    for (size_t i = 0; i < ball.size(); ++i) {
        EXPECT_NEAR(values[static_cast<int>(i)], 1 - (means[i] + largest / 2), 1e-5);
        const double depth = 6 - double(length(ball[i]));
        if (depth < 1) skin = std::max(skin, double(values[static_cast<int>(i)]));
        if (depth > double(h)) core = std::min(core, double(values[static_cast<int>(i)]));
    }
    EXPECT_LT(skin, core);
}

// B-70. Spray is clamped, not negative.
TEST(SurfaceValue, isNeverLessThanATenth) {
    const Buffer<Vec3> x = bufferOf({{0, 0, 0}, {0.99f, 0, 0}, {50, 0, 0}});
    Neighbors neighbors;
    neighbors.build(x, 1);
    Buffer<float> values;
    surfaceValues(neighbors, 1, values);
    for (const float value : values) {
        EXPECT_GE(value, 0.1f);
        EXPECT_LE(value, 1);
    }
}

}  // namespace
}  // namespace purl
