#include "solver/search/cellGrid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "solver/core/random.h"

namespace purl {
namespace {

// K-48. Values computed by hand from the formula.
TEST(CellHash, isTheSeedsFormulaInWrappingArithmetic) {
    EXPECT_EQ(cellHash({1, 0, 0}, 4001), 1634);
    EXPECT_EQ(cellHash({1, 2, 3}, 4001), 2937);
    EXPECT_EQ(cellHash({-1, 0, 0}, 4001), 189);
    EXPECT_EQ(cellHash({-1, -2, -3}, 4001), 2887);
    EXPECT_EQ(cellHash({1, 0, 0}, 10007), 4433);
    EXPECT_EQ(cellHash({1, 2, 3}, 10007), 776);
    EXPECT_EQ(cellHash({-1, 0, 0}, 10007), 8498);
    EXPECT_EQ(cellHash({-1, -2, -3}, 10007), 2148);
}

// K-48
TEST(CellIndex, isTheFloorBelowZeroToo) {
    EXPECT_EQ(cellIndex(-0.1f, 1), -1);
    EXPECT_EQ(cellIndex(0, 1), 0);
    EXPECT_EQ(cellIndex(0.99f, 1), 0);
    EXPECT_EQ(cellIndex(-1, 1), -1);
    EXPECT_EQ(cellIndex(1e5f, 0.01), 10000000);
}

// B-84. In double arithmetic, in which these numbers are exact: ⌊x/s⌋.
TEST(CellIndex, ofManyPointsIsTheFormula) {
    for (uint64_t i = 0; i < 100000; ++i) {
        const float x = 200 * randomUnit(3, i) - 100;
        const double cell = 0.01 + 0.5 * double(randomUnit(4, i));
        const int index = cellIndex(x, cell);
        ASSERT_LE(index * cell, x * (1 + 1e-15) + 1e-12);
        ASSERT_GT((index + 1) * cell, x);
    }
}

TEST(CellIndex, staysAnIndexForAnyFloat) {
    EXPECT_EQ(cellIndex(1e30f, 0.01), 1 << 29);
    EXPECT_EQ(cellIndex(-1e30f, 0.01), -(1 << 29));
    EXPECT_EQ(cellIndex(std::numeric_limits<float>::infinity(), 0.01), 1 << 29);
    EXPECT_EQ(cellIndex(std::numeric_limits<float>::quiet_NaN(), 0.01), -(1 << 29));
}

// K-49
TEST(CellTable, isTheSmallestPrimeOfTwiceTheCount) {
    EXPECT_EQ(cellTableSize(1000), 2003);
    EXPECT_EQ(cellTableSize(1500), 3001);
    EXPECT_EQ(cellTableSize(2000), 4001);
    EXPECT_EQ(cellTableSize(2250), 4507);
    EXPECT_EQ(cellTableSize(3000), 6007);
    EXPECT_EQ(cellTableSize(4400), 8803);
    EXPECT_EQ(cellTableSize(5000), 10007);
    EXPECT_EQ(cellTableSize(0), 2);
}

// B-85
TEST(CellGrid, keepsTheOrderOfPointsInACell) {
    Buffer<Vec3> x(Device::cpu(), 5);
    x[0] = {1.5f, 0, 0};
    x[1] = {0.6f, 0, 0};
    x[2] = {0.2f, 0, 0};
    x[3] = {1.1f, 0, 0};
    x[4] = {-0.1f, 0, 0};
    CellGrid grid;
    grid.build(x, 1);
    EXPECT_FALSE(grid.wasSorted());
    EXPECT_EQ(grid.cellCount(), 3);
    const int expected[] = {4, 1, 2, 0, 3};
    for (int k = 0; k < 5; ++k) EXPECT_EQ(grid.order()[k], expected[k]);
}

// B-86. Only every third cell holds points, so that the row of three cells around each contains only that cell: these
// rows cover each point exactly once, and all other rows are empty. Both for the dense table and for hashing.
TEST(CellGrid, runsShareOutThePoints) {
    for (const float apart : {3.0f, 3000.0f}) {
        constexpr int kSide = 4, kEach = 3;
        Buffer<Vec3> x(Device::cpu(), kSide * kSide * kSide * kEach);
        for (int i = 0; i < x.size(); ++i) {
            const int c = i % (kSide * kSide * kSide);
            const Vec3 cell{float(c % kSide), float(c / kSide % kSide), float(c / kSide / kSide)};
            x[i] = apart * cell + Vec3{0.2f, 0.5f, 0.1f + 0.25f * float(i % kEach)};
        }
        CellGrid grid;
        grid.build(x, 1);
        ASSERT_EQ(grid.cellCount(), kSide * kSide * kSide);
        const CellGrid::View view = grid.view();
        std::vector<int> timesListed(static_cast<size_t>(x.size()));
        for (int place = 0; place < x.size(); ++place)
            for (int row = 0; row < kRunsAround; ++row) {
                const purl::Run run = view.run(view.cellOfPlace[place], row);
                ASSERT_EQ(run.end - run.begin, row == kRunsAround / 2 ? kEach : 0);
                for (int k = run.begin; k < run.end; ++k) ++timesListed[k];
            }
        for (const int times : timesListed) EXPECT_EQ(times, kEach);  // once for each point of its cell
    }
}

// The points in the 27 cells around each point equal those of a brute-force search, for cells that are dense, sparse,
// or so far apart that axes wrap around.
TEST(CellGrid, runsHoldThePointsAround) {
    for (const float apart : {1.0f, 40.0f, 3e5f}) {
        Buffer<Vec3> x(Device::cpu(2), 3000);
        for (int i = 0; i < x.size(); ++i) {
            // Clusters, so that cells have neighbours.
            const auto cluster = static_cast<uint64_t>(i / 30);
            for (int k = 0; k < 3; ++k)
                x[i][k] = apart * std::round(20 * randomUnit(1, 3 * cluster + static_cast<uint64_t>(k))) +
                          5 * randomUnit(2, static_cast<uint64_t>(3 * i + k));
        }
        CellGrid grid(Device::cpu(2));
        grid.build(x, 1);
        const CellGrid::View view = grid.view();
        for (int place = 0; place < x.size(); place += 7) {
            const Cell home = cellAt(x[grid.order()[place]], 1);
            std::vector<int> found, expected;
            for (int row = 0; row < kRunsAround; ++row) {
                const purl::Run run = view.run(view.cellOfPlace[place], row);
                for (int k = run.begin; k < run.end; ++k) found.push_back(grid.order()[k]);
            }
            for (int i = 0; i < x.size(); ++i) {
                const Cell cell = cellAt(x[i], 1);
                if (std::abs(cell.x - home.x) <= 1 && std::abs(cell.y - home.y) <= 1 && std::abs(cell.z - home.z) <= 1)
                    expected.push_back(i);
            }
            std::sort(found.begin(), found.end());
            ASSERT_EQ(found, expected) << apart;
        }
    }
}

TEST(CellGrid, noticesThatPointsAreSorted) {
    Buffer<Vec3> x(Device::cpu(), 3);
    x[0] = {-5, 0, 0};
    x[1] = {3, 0, 0};
    x[2] = {-5, 0, 9};  // z is the most significant
    CellGrid grid;
    grid.build(x, 1);
    EXPECT_TRUE(grid.wasSorted());
}

}  // namespace
}  // namespace purl
