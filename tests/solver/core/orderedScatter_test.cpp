#include "solver/core/orderedScatter.h"

#include <gtest/gtest.h>

#include <vector>

namespace purl {
namespace {

// Source i contributes to target (7 i) mod 1009 and to the next one, with what = 0 and 1.
std::vector<std::vector<int>> takenBy(int threads) {
    constexpr int kSources = 20000, kTargets = 1010;
    std::vector<std::vector<int>> taken(kTargets);
    const OrderedScatter given(Device::cpu(threads), "give", kSources, 4, [](int i, const auto& put) {
        for (const int what : {0, 1}) put(7 * i % 1009 + what, what);
    });
    given.forEachEntry([&](int source, int target, int what) { taken[target].push_back(2 * source + what); });
    return taken;
}

TEST(OrderedScatter, handsOutAllInTheOrderOfTheSources) {
    std::vector<std::vector<int>> expected(1010);
    for (int i = 0; i < 20000; ++i)
        for (const int what : {0, 1}) expected[7 * i % 1009 + what].push_back(2 * i + what);
    for (const int threads : {1, 2, 7}) EXPECT_EQ(takenBy(threads), expected) << threads;
}

}  // namespace
}  // namespace purl
