#include "solver/search/cellGrid.h"

#include <gtest/gtest.h>

namespace purl {
namespace {

// K-48. Vectors worked out by hand from the formula.
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

TEST(CellGrid, noticesThatPointsAreSorted) {
    Buffer<Vec3> x(Device::cpu(), 3);
    x[0] = {-5, 0, 0};
    x[1] = {3, 0, 0};
    x[2] = {-5, 0, 9};  // z counts most
    CellGrid grid;
    grid.build(x, 1);
    EXPECT_TRUE(grid.wasSorted());
}

}  // namespace
}  // namespace purl
