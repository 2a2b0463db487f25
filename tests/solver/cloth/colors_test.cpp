#include "solver/cloth/colors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "solver/cloth/fabric.h"
#include "tests/solver/cloth/cloths.h"

namespace purl {
namespace {

TEST(Colors, rowSlotsSeparateNeighbors) {
    std::vector<bool> joined(200, true);
    joined[128] = false;  // a row of 129 points and one of 71
    const std::vector<int> slots = rowSlots(joined);
    std::set<int> all(slots.begin(), slots.end());
    EXPECT_EQ(all.size(), slots.size());
    EXPECT_EQ(*all.begin(), 0);
    EXPECT_EQ(*all.rbegin(), 199);
    for (size_t i = 0; i + 2 < slots.size(); ++i)
        for (const size_t other : {i + 1, i + 2})
            if (joined[i] && joined[other - 1]) { EXPECT_GE(std::abs(slots[i] - slots[other]), kRunLength) << i; }
    // Slots stay within their row.
    for (size_t i = 0; i < slots.size(); ++i) EXPECT_EQ(slots[i] < 129, i < 129);
}

TEST(Colors, gridElementsFormRunsOfContiguousPoints) {
    const Cloth cloth = test::gridCloth(70, 40, {}, {0.7f, 0, 0}, {0, 0, 0.4f});
    Fabric fabric(Device::cpu(1));
    fabric.set(cloth, {cloth.points.data(), static_cast<int>(cloth.points.size())});
    EXPECT_TRUE(fabric.mostlyInRuns());
    const auto place = [&](int v) { return fabric.slots()[v]; };
    const Colors& colors = fabric.springColors;
    for (int color = 0; color < colors.count(); ++color) {
        std::set<int> points;
        for (auto c = size_t(color * colors.strips); c < size_t((color + 1) * colors.strips); ++c) {
            EXPECT_EQ((colors.runEnds[c] - colors.starts[c]) % kRunLength, 0);
            for (int s = colors.starts[c]; s < colors.starts[c + 1]; ++s) {
                const Spring &spring = fabric.springs[s],
                             &first = fabric.springs[s - (s - colors.starts[c]) % kRunLength];
                EXPECT_TRUE(points.insert(spring.a).second);
                EXPECT_TRUE(points.insert(spring.b).second);
                if (s >= colors.runEnds[c]) continue;
                EXPECT_EQ(place(spring.a) - place(first.a), (s - colors.starts[c]) % kRunLength);
                EXPECT_EQ(place(spring.b) - place(first.b), (s - colors.starts[c]) % kRunLength);
            }
        }
    }
    EXPECT_GT(colors.inRuns(), 0.9 * fabric.springs.size());           // 94 %: all but the ends of rows
    EXPECT_GT(fabric.bendColors.inRuns(), 0.9 * fabric.bends.size());  // 97 %
}

// Elements solved concurrently share no point: neither the interiors of two strips, nor elements that cross two cuts.
void expectStripsApart(const Fabric& fabric) {
    ASSERT_GT(fabric.strips(), 4);
    for (const bool crossing : {false, true}) {
        std::vector<int> owner(static_cast<size_t>(fabric.count()), -1);
        const auto visit = [&](const Colors& colors, const auto& pointsOf) {
            ASSERT_EQ(colors.strips, fabric.strips());
            for (int c = crossing ? colors.interiorColors : 0; c < (crossing ? colors.count() : colors.interiorColors);
                 ++c)
                for (int strip = 0; strip < colors.strips; ++strip) {
                    const auto cell = size_t(c * colors.strips + strip);
                    for (int e = colors.starts[cell]; e < colors.starts[cell + 1]; ++e)
                        for (const int v : pointsOf(e)) {
                            int& own = owner[size_t(v)];
                            ASSERT_TRUE(own == -1 || own == strip) << v;
                            own = strip;
                        }
                }
        };
        visit(fabric.springColors, [&](int e) { return std::vector<int>{fabric.springs[e].a, fabric.springs[e].b}; });
        visit(fabric.bendColors,
              [&](int e) { return std::vector<int>(std::begin(fabric.bends[e].v), std::end(fabric.bends[e].v)); });
    }
}

TEST(Strips, ofAGridShareNoPoint) {
    const Cloth cloth = test::gridCloth(70, 90, {}, {0.7f, 0, 0}, {0, 0, 0.9f});
    Fabric fabric(Device::cpu(1));
    fabric.set(cloth, {cloth.points.data(), static_cast<int>(cloth.points.size())});
    expectStripsApart(fabric);
}

// Any mesh numbering works: here the same grid with its points shuffled.
TEST(Strips, ofAShuffledMeshShareNoPoint) {
    Cloth cloth = test::gridCloth(70, 90, {}, {0.7f, 0, 0}, {0, 0, 0.9f});
    std::vector<int> order(cloth.points.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937(3));
    const std::vector<Vec3> points = cloth.points;
    for (size_t i = 0; i < order.size(); ++i) cloth.points[size_t(order[i])] = points[i];
    for (int& corner : cloth.faces.corners) corner = order[size_t(corner)];
    Fabric fabric(Device::cpu(1));
    fabric.set(cloth, {cloth.points.data(), static_cast<int>(cloth.points.size())});
    expectStripsApart(fabric);
}

// A fabric that gets wet has bitwise the stiffness of one built wet, and its dry stiffness after drying.
TEST(Fabric, wetnessUpdatesStiffnessWithoutRebuild) {
    Cloth cloth = test::levelCloth(12, 0.3f);
    cloth.pores.params.absorption = Absorption::soak;
    cloth.pores.params.wetStiffness = 0.5f;
    for (size_t i = 0; i < cloth.points.size(); ++i) cloth.stiffnessMap.push_back(0.5f + 0.01f * float(i % 7));
    const Span<const Vec3> rest{cloth.points.data(), static_cast<int>(cloth.points.size())};
    std::vector<float> saturation, none(cloth.points.size());
    for (size_t i = 0; i < cloth.points.size(); ++i) saturation.push_back(float(i % 5) / 4);
    const auto stiffnessOf = [](const Fabric& fabric) {
        std::vector<float> all;
        for (const Spring& spring : fabric.springs) all.push_back(spring.stiffness);
        for (const Bend& bend : fabric.bends) all.push_back(bend.stiffness);
        return all;
    };
    Fabric soaked(Device::cpu(2)), wet(Device::cpu(1));
    soaked.set(cloth, rest, {none.data(), rest.count});
    const std::vector<float> dry = stiffnessOf(soaked);
    const unsigned version = soaked.version();
    soaked.set(cloth, rest, {saturation.data(), rest.count});
    wet.set(cloth, rest, {saturation.data(), rest.count});
    EXPECT_EQ(stiffnessOf(soaked), stiffnessOf(wet));
    EXPECT_NE(stiffnessOf(soaked), dry);
    EXPECT_EQ(soaked.version(), version);
    soaked.set(cloth, rest, {none.data(), rest.count});
    EXPECT_EQ(stiffnessOf(soaked), dry);
    // Elements with zero stiffness are removed.
    cloth.pores.params.wetStiffness = 0;
    soaked.set(cloth, rest, {none.data(), rest.count});
    const int all = soaked.springs.size();
    std::fill(saturation.begin(), saturation.end(), 1.0f);
    soaked.set(cloth, rest, {saturation.data(), rest.count});
    EXPECT_EQ(soaked.springs.size(), 0);
    soaked.set(cloth, rest, {none.data(), rest.count});
    EXPECT_EQ(soaked.springs.size(), all);
}

}  // namespace
}  // namespace purl
