#include "solver/core/phases.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace purl {
namespace {

// Each number becomes the sum of its neighbours of the phase before, so that a thread that ran ahead would show.
std::vector<unsigned> sumsBy(int threads, int count, int phases) {
    std::vector<unsigned> numbers[2];
    for (auto& each : numbers) each.assign(static_cast<size_t>(count), 1);
    numbers[0][0] = 7;
    forEachInPhases(
        Device::cpu(threads), "sums", phases, [&](int) { return std::pair(1, count - 1); },
        [&](int phase, int i) {
            const auto k = static_cast<size_t>(i);
            const std::vector<unsigned>& from = numbers[phase % 2];
            numbers[1 - phase % 2][k] = from[k - 1] + 3 * from[k] + from[k + 1];
        });
    return numbers[phases % 2];
}

TEST(Phases, noThreadBeginsOneBeforeAllHaveEndedTheLast) {
    // More threads than cores: some sleep while they wait.
    for (const int threads : {2, 3, 16}) EXPECT_EQ(sumsBy(threads, 1000, 100), sumsBy(1, 1000, 100)) << threads;
}

TEST(Phases, emptyOnesAreGonePast) {
    int calls = 0;
    forEachInPhases(
        Device::cpu(2), "none", 5, [](int phase) { return std::pair(0, phase == 3 ? 1 : 0); },
        [&](int phase, int i) { calls += 10 * phase + i; });
    EXPECT_EQ(calls, 30);
}

}  // namespace
}  // namespace purl
