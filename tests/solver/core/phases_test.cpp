#include "solver/core/phases.h"

#include <gtest/gtest.h>

#include <vector>

namespace purl {
namespace {

// Each number becomes the sum of its neighbours of the phase before, so that a thread that ran ahead would show.
std::vector<unsigned> sumsBy(int threads, int count, int phases) {
    std::vector<unsigned> numbers[2];
    for (auto& each : numbers) each.assign(static_cast<size_t>(count), 1);
    numbers[0][0] = 7;
    forEachInPhases(Device::cpu(threads), "sums", phases, int64_t(phases) * count, [&](int phase, LoopPart part) {
        const auto [first, last] = part.of(1, count - 1);
        for (auto k = static_cast<size_t>(first); k < static_cast<size_t>(last); ++k) {
            const std::vector<unsigned>& from = numbers[phase % 2];
            numbers[1 - phase % 2][k] = from[k - 1] + 3 * from[k] + from[k + 1];
        }
    });
    return numbers[phases % 2];
}

TEST(Phases, noThreadBeginsOneBeforeAllHaveEndedTheLast) {
    // More threads than cores: some sleep while they wait.
    for (const int threads : {2, 3, 16}) EXPECT_EQ(sumsBy(threads, 1000, 100), sumsBy(1, 1000, 100)) << threads;
}

TEST(Phases, partsAreAllOfALoopAndNothingTwice) {
    for (const int threads : {1, 2, 7})
        for (const int count : {0, 1, 5, 100}) {
            int next = 3;
            for (int own = 0; own < threads; ++own) {
                const auto [first, last] = LoopPart{own, threads}.of(3, 3 + count);
                EXPECT_EQ(first, next);
                next = last;
            }
            EXPECT_EQ(next, 3 + count);
        }
}

}  // namespace
}  // namespace purl
