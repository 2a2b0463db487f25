#include "solver/surface/shape.h"

#include <gtest/gtest.h>

#include "tests/solver/surface/surfaces.h"

namespace purl {
namespace {

Buffer<Vec3> bufferOf(const std::vector<Vec3>& values) {
    Buffer<Vec3> buffer(Device::cpu(), static_cast<int>(values.size()));
    std::copy(values.begin(), values.end(), buffer.begin());
    return buffer;
}

// On a flat surface blobs are flattened and the level is kept; in the interior and in isolation they stay balls.
TEST(Shapes, areFlatOnAFlatSurface) {
    const float radius = 2.3f;
    std::vector<Vec3> block = latticeBlock(14, 8, 14, 0.1f);
    block.push_back({30, 0, 0});
    const Buffer<Vec3> x = bufferOf(block);
    Neighbors neighbors;
    neighbors.build(x, radius);
    Buffer<uint8_t> near(Device::cpu(), x.size());
    std::fill(near.begin(), near.end(), uint8_t(1));
    const Shapes shapes = anisotropicShapes(neighbors, near, radius, 0.3f);
    double moved = 0, tops = 0;
    for (int i = 0; i < x.size(); ++i) {
        const Vec3 p = x[i], half = shapes.form[i].half;
        EXPECT_LE(length(shapes.shift[i]), 0.3001f);
        for (int axis = 0; axis < 3; ++axis) EXPECT_LE(half[axis], 1.0001f * radius);
        if (p.x < 4 || p.x > 10 || p.z < 4 || p.z > 10) continue;
        if (p.y > 7.2f) {
            EXPECT_LT(half.y, 0.6f * radius);
            EXPECT_GT(half.x, 0.7f * radius);
            EXPECT_GT(half.z, 0.7f * radius);
            moved += double(shapes.shift[i].y);
            tops += 1;
        }
        if (p.y > 3 && p.y < 5) { EXPECT_GT(half.y, 0.9f * radius); }
    }
    // The common part of the centroid offsets, a third of the radius, is subtracted.
    EXPECT_LT(std::abs(moved / tops), 0.25);
    const int lone = x.size() - 1;
    EXPECT_EQ(shapes.form[lone].half, (Vec3{radius, radius, radius}));
    EXPECT_EQ(shapes.shift[lone], Vec3{});
}

}  // namespace
}  // namespace purl
