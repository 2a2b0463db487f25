#include "solver/boundary/pointGrid.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "solver/core/random.h"

namespace purl {
namespace {

std::vector<Vec3> near(const PointGrid& grid, const std::vector<Vec3>& points, Vec3 x, float radius) {
    std::vector<Vec3> found;
    const RunsAround runs = grid.view().around(x);
    for (int r = 0; runs && r < kRunsAround; ++r)
        for (int k = runs[r].begin; k < runs[r].end; ++k)
            if (length(points[size_t(k)] - x) < radius) found.push_back(points[size_t(k)]);
    return found;
}

// G-15: from anywhere, such as the corners of marching cubes. A table of cells where points lie close, hashed cells
// where one is far away: the same points in the same order, and all there are.
TEST(PointGrid, findsWhatIsNearInATableAndByHashing) {
    constexpr float kRadius = 0.1f;
    std::vector<Vec3> close;
    for (size_t i = 0; i < 2000; ++i) close.push_back({randomUnit(1, i), randomUnit(2, i), 0.3f * randomUnit(3, i)});
    std::vector<Vec3> spread = close;
    spread.push_back({5000, close[0].y, close[0].z});  // the cells of the others stay as they are
    std::vector<Vec3> all = close;
    PointGrid table, hashed;
    table.build(close, kRadius);
    hashed.build(spread, kRadius);
    EXPECT_TRUE(table.view().boxStarts);
    EXPECT_FALSE(hashed.view().boxStarts);
    for (size_t i = 0; i < 500; ++i) {
        const Vec3 x{1.4f * randomUnit(4, i) - 0.2f, 1.4f * randomUnit(5, i) - 0.2f, randomUnit(6, i) - 0.3f};
        const std::vector<Vec3> found = near(table, close, x, kRadius);
        EXPECT_EQ(found, near(hashed, spread, x, kRadius));
        const auto count = std::count_if(all.begin(), all.end(), [&](Vec3 p) { return length(p - x) < kRadius; });
        EXPECT_EQ(static_cast<long>(found.size()), static_cast<long>(count));
    }
    PointGrid none;
    std::vector<Vec3> nothing;
    none.build(nothing, kRadius);
    EXPECT_FALSE(none.view().around({0, 0, 0}));
}

}  // namespace
}  // namespace purl
