#include "solver/search/neighbors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using test::jittered;
using test::lattice;

Buffer<Vec3> bufferOf(const std::vector<Vec3>& points) {
    Buffer<Vec3> buffer(Device::cpu(2), static_cast<int>(points.size()));
    std::copy(points.begin(), points.end(), buffer.begin());
    return buffer;
}

std::vector<Vec3> randomPoints(int count, Vec3 low, Vec3 high, uint64_t seed = 7) {
    std::vector<Vec3> points;
    for (uint64_t i = 0; i < static_cast<uint64_t>(count); ++i)
        points.push_back({lerp(low.x, high.x, randomUnit(seed, 3 * i)),
                          lerp(low.y, high.y, randomUnit(seed, 3 * i + 1)),
                          lerp(low.z, high.z, randomUnit(seed, 3 * i + 2))});
    return points;
}

using Lists = std::vector<std::vector<int>>;

Lists bruteForce(const std::vector<Vec3>& points, float radius) {
    Lists lists(points.size());
    for (size_t i = 0; i < points.size(); ++i)
        for (size_t j = 0; j < points.size(); ++j)
            if (i != j && lengthSquared(points[i] - points[j]) <= radius * radius)
                lists[i].push_back(static_cast<int>(j));
    return lists;
}

Lists listsOf(const Neighbors& neighbors) {
    Lists lists(static_cast<size_t>(neighbors.count()));
    for (int i = 0; i < neighbors.count(); ++i)
        neighbors.view().forEach(i, [&](int j, Vec3, float) { lists[i].push_back(j); });
    return lists;
}

// Unsorted points, and points sorted by cell: lists must be correct, ascending and without duplicates in both cases.
void expectBruteForce(std::vector<Vec3> points, float radius) {
    const Device device = Device::cpu(2);
    Neighbors neighbors(device);
    Buffer<Vec3> x = bufferOf(points);
    neighbors.build(x, radius);
    EXPECT_EQ(listsOf(neighbors), bruteForce(points, radius));

    CellGrid grid(device);
    grid.sort(x, Neighbors::cellSize(radius));
    std::vector<Vec3> sorted;
    for (const int i : grid.order()) sorted.push_back(points[i]);
    x = bufferOf(sorted);
    neighbors.build(x, radius);
    EXPECT_EQ(listsOf(neighbors), bruteForce(sorted, radius));
}

// K-50 B-87 L-41
TEST(Neighbors, equalBruteForceOnRandomPoints) {
    for (const int count : {1, 2, 1000, 2000, 4000, 10000})
        expectBruteForce(randomPoints(count, {-1, -1, -1}, {1, 1, 1}), 0.17f);
}

// K-50
TEST(Neighbors, equalBruteForceOnLattice) {
    expectBruteForce(lattice(12, 12, 12, 0.02716f, {-0.16f, -0.16f, -0.16f}), 0.045734f);
}

// K-50 B-87 G-14 L-41. Every point on a face, an edge or a corner of a cell; every distance along an axis a multiple of
// the radius.
TEST(Neighbors, equalBruteForceOnCellFaces) {
    for (const float radius : {0.1f, 0.25f, 1 / 3.0f}) {
        std::vector<Vec3> points;
        for (const Vec3 p : lattice(9, 9, 9, 1, {-4.5f, -4.5f, -4.5f})) points.push_back(radius * p);
        expectBruteForce(points, radius);
    }
}

// K-50 G-14 L-41
TEST(Neighbors, equalBruteForceAtNegativeCoordinates) {
    expectBruteForce(randomPoints(2000, {-101, -53, -78}, {-100, -52, -77}), 0.11f);
}

TEST(Neighbors, equalBruteForceOnClustersFarApart) {
    std::vector<Vec3> points = randomPoints(300, {0, 0, 0}, {1, 1, 1});
    for (const Vec3 offset : {Vec3{1e5f, 0, 0}, Vec3{-1e5f, 2e4f, 0}, Vec3{0, 0, 1e5f}, Vec3{3e8f, -3e8f, 3e8f}})
        for (const Vec3 p : randomPoints(300, {0, 0, 0}, {1, 1, 1}, 3)) points.push_back(p + offset);
    expectBruteForce(points, 0.25f);
}

// Axes of more than 2²¹ cells wrap around: cells 2²¹ apart share a key, and rows of cells begin at the end of others.
TEST(Neighbors, equalBruteForceWhereCellsWrapRound) {
    constexpr float kRound = 2097152;  // 2²¹ cells of a metre
    std::vector<Vec3> points;
    for (const Vec3 offset : {Vec3{}, Vec3{kRound, 0, 0}, Vec3{0, kRound, 0}, Vec3{-kRound, -kRound, kRound}})
        for (const Vec3 p : randomPoints(200, {-2, -2, -2}, {2, 2, 2}, 5)) points.push_back(p + offset);
    expectBruteForce(points, 1);
}

// K-56
TEST(Neighbors, equalBruteForceOnCoincidentPoints) {
    std::vector<Vec3> points(40, Vec3{0.3f, -0.2f, 0.1f});
    points.insert(points.end(), 40, Vec3{0.35f, -0.2f, 0.1f});
    expectBruteForce(points, 0.1f);
}

// G-14. A hundred thousand points; only some are checked, because brute force is slow.
TEST(Neighbors, ofAHundredThousandPointsAreRight) {
    const std::vector<Vec3> points = randomPoints(100000, {-3, -3, -3}, {3, 3, 3});
    const Buffer<Vec3> x = bufferOf(points);
    constexpr float kRadius = 0.25f;
    Neighbors neighbors(Device::cpu(2));
    neighbors.build(x, kRadius);
    for (int i = 0; i < x.size(); i += 397) {
        std::vector<int> expected, found;
        for (int j = 0; j < x.size(); ++j)
            if (j != i && lengthSquared(x[i] - x[j]) <= kRadius * kRadius) expected.push_back(j);
        neighbors.view().forEach(i, [&](int j, Vec3, float) { found.push_back(j); });
        ASSERT_EQ(found, expected) << i;
    }
}

// B-89. A thousand points in one cell, or one cell for each of them.
TEST(Neighbors, knowNoLimitOfRadiusOrCrowding) {
    const std::vector<Vec3> points = randomPoints(1000, {}, {0.1f, 0.1f, 0.1f});
    for (const float radius : {0.001f, 0.01f, 0.1f, 1.0f}) expectBruteForce(points, radius);
}

// L-43. On a square lattice eight neighbours are closer than two spacings; the next four are at exactly two.
TEST(Neighbors, ofASquareLatticeAreEight) {
    const Buffer<Vec3> x = bufferOf(lattice(9, 9, 1, 6));
    Neighbors neighbors;
    neighbors.build(x, std::nextafter(12.0f, 0.0f));
    EXPECT_EQ(neighbors.view().count(4 + 9 * 4), 8);
    neighbors.build(x, 12);
    EXPECT_EQ(neighbors.view().count(4 + 9 * 4), 12);
}

// B-89
TEST(Neighbors, areNoneOfNoPoints) {
    Neighbors neighbors;
    Buffer<Vec3> x;
    neighbors.build(x, 0.1f);
    EXPECT_EQ(neighbors.count(), 0);
    EXPECT_EQ(neighbors.pairCount(), 0);
}

TEST(Neighbors, giveDifferenceAndSquaredDistance) {
    const std::vector<Vec3> points{{0, 0, 0}, {0.3f, 0, 0}, {0, 0.4f, 0}};
    const Buffer<Vec3> x = bufferOf(points);
    Neighbors neighbors;
    neighbors.build(x, 0.45f);
    neighbors.view().forEach(0, [&](int j, Vec3 d, float r2) {
        EXPECT_EQ(d, points[0] - points[j]);
        EXPECT_EQ(r2, lengthSquared(d));
    });
}

// K-26. Lattice counts include the particle itself; uniform random points have x + 1 on average (itself and x others).
TEST(Neighbors, areAsManyAsKernelParticlesMean) {
    const auto meanInside = [](const std::vector<Vec3>& points, float radius, Vec3 low, Vec3 high) {
        const Buffer<Vec3> x = bufferOf(points);
        Neighbors neighbors;
        neighbors.build(x, radius);
        double sum = 0, inside = 0;
        for (int i = 0; i < x.size(); ++i) {
            if (min(x[i], low) != low || max(x[i], high) != high) continue;
            sum += neighbors.view().count(i) + 1;
            inside += 1;
        }
        return sum / inside;
    };
    for (const auto& [preset, expected] : {std::pair{"water", 19.0}, {"mucus", 33.0}, {"steam", 19.0}}) {
        const FluidParams params = fluidPreset(preset);
        const float s = params.particleSpacing, h = static_cast<float>(supportRadius(params));
        const Vec3 low = s * Vec3{3, 3, 3}, high = s * Vec3{9, 9, 9};
        EXPECT_DOUBLE_EQ(meanInside(lattice(12, 12, 12, s), h, low, high), expected) << preset;
        const double random =
            meanInside(randomPoints(8000, {}, s * Vec3{20, 20, 20}), h, s * Vec3{3, 3, 3}, s * Vec3{17, 17, 17});
        EXPECT_NEAR(random, params.wcsph.kernelParticles + 1, 0.1 * (params.wcsph.kernelParticles + 1)) << preset;
    }
}

TEST(Neighbors, ofAGridWhosePointsWereReorderedAreThoseOfTheNewOrder) {
    const std::vector<Vec3> points = randomPoints(3000, {-1, -1, -1}, {1, 1, 1});
    const Device device = Device::cpu(2);
    CellGrid grid(device);
    grid.build(bufferOf(points), Neighbors::cellSize(0.2f));
    ASSERT_FALSE(grid.wasSorted());
    std::vector<Vec3> sorted;
    for (const int i : grid.order()) sorted.push_back(points[i]);
    grid.pointsReordered();
    const Buffer<Vec3> x = bufferOf(sorted);
    Neighbors neighbors(device);
    neighbors.build(x, 0.2f, grid);
    EXPECT_EQ(listsOf(neighbors), bruteForce(sorted, 0.2f));
}

// Vectorized loops read whole lanes: lists start at a multiple of the lane count and are padded with an invalid index.
TEST(Neighbors, areFilledUpToWholeLanesWithNobody) {
    const std::vector<Vec3> points = randomPoints(2000, {-1, -1, -1}, {1, 1, 1});
    const Buffer<Vec3> x = bufferOf(points);
    Neighbors neighbors(Device::cpu(2));
    neighbors.build(x, 0.2f);
    const Neighbors::View view = neighbors.view();
    int64_t pairs = 0;
    for (int i = 0; i < x.size(); ++i) {
        pairs += view.count(i);
        EXPECT_EQ(view.starts[i] % Neighbors::kLanes, 0);
        EXPECT_LE(view.starts[i] + view.paddedCount(i), neighbors.listSize());
        for (int n = view.count(i); n < view.paddedCount(i); ++n) EXPECT_EQ(view.begin(i)[n], x.size());
    }
    EXPECT_EQ(neighbors.pairCount(), pairs);
}

// B-88. Keeping only the later index of each pair visits every pair once; its mirror is in the other point's list.
TEST(Neighbors, everyPairIsMetOnceFromEitherSide) {
    const std::vector<Vec3> points = randomPoints(1500, {-1, -1, -1}, {1, 1, 1});
    constexpr float kRadius = 0.25f;
    std::set<std::pair<int, int>> expected;
    for (int i = 0; i < 1500; ++i)
        for (int j = i + 1; j < 1500; ++j)
            if (lengthSquared(points[i] - points[j]) <= kRadius * kRadius) expected.emplace(i, j);
    ASSERT_GT(expected.size(), 1000u);
    const Buffer<Vec3> x = bufferOf(points);
    Neighbors neighbors(Device::cpu(2));
    neighbors.build(x, kRadius);
    std::set<std::pair<int, int>> upward, downward;
    int visits = 0;
    for (int i = 0; i < neighbors.count(); ++i)
        neighbors.view().forEach(i, [&](int j, Vec3, float) {
            ++visits;
            (i < j ? upward : downward).emplace(std::min(i, j), std::max(i, j));
        });
    EXPECT_EQ(upward, expected);
    EXPECT_EQ(downward, expected);
    EXPECT_EQ(visits, 2 * static_cast<int>(expected.size())) << "none twice";
    EXPECT_EQ(neighbors.pairCount(), visits);
}

// B-90. Counted, not timed: the distance tests are those with the points of the 27 surrounding cells.
TEST(Neighbors, costGrowsAsTheNumberOfPoints) {
    const auto measured = [](int side) {
        const float spacing = 0.02f, radius = 0.045f;
        const Buffer<Vec3> x = bufferOf(jittered(lattice(side, side, side, spacing), 0.3f * spacing));
        CellGrid grid(Device::cpu(2));
        grid.build(x, Neighbors::cellSize(radius));
        const CellGrid::View cells = grid.view();
        int64_t sum = 0;
        for (int place = 0; place < x.size(); ++place)
            for (int row = 0; row < kRunsAround; ++row) {
                const purl::Run near = cells.run(cells.cellOfPlace[place], row);
                sum += near.end - near.begin;
            }
        return double(sum);
    };
    // 100 and 200 thousand points; points at the surface have fewer neighbours, and the larger cube has less surface.
    EXPECT_LT(measured(58) / measured(46), 1.1 * std::pow(58 / 46.0, 3));
    EXPECT_GT(std::pow(27.0, 6) / measured(27), 20) << "20 thousand points against all of their pairs";
}

// K-78
TEST(Neighbors, areTheSameForAnyNumberOfThreads) {
    const std::vector<Vec3> points = randomPoints(5000, {-1, -1, -1}, {1, 1, 1});
    Lists first;
    for (const int threads : {1, 2, 3, 7}) {
        const Buffer<Vec3> x = bufferOf(points);
        Neighbors neighbors(Device::cpu(threads));
        neighbors.build(x, 0.2f);
        if (threads == 1) first = listsOf(neighbors);
        EXPECT_EQ(listsOf(neighbors), first) << threads;
    }
}

}  // namespace
}  // namespace purl
