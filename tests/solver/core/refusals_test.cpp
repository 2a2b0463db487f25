// When the system refuses memory or threads, the calling thread gets a one-line Error, the state can be simulated
// further, and the results keep the same bits.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <new>
#include <vector>

#include "solver/core/forEach.h"
#include "solver/core/threadPool.h"
#include "tests/fuzz/stateScenes.h"
#include "tests/solver/messageOf.h"

namespace purl {
namespace {

using namespace test;

// Units expensive enough for a thread each, so that workers are used.
LoopCost& dear() {
    static LoopCost cost(1e6f);
    return cost;
}

TEST(Refusals, aBodyWithoutMemoryThrowsOnTheCallingThread) {
    for (int round = 0; round < 50; ++round) {
        std::atomic<int> ran{0};
        auto body = [&](int begin) {
            ++ran;
            if (begin == 40) throw std::bad_alloc();
        };
        const auto run = [](void* context, int, int begin, int end, int) {
            for (int i = begin; i < end; ++i) (*static_cast<decltype(body)*>(context))(i);
        };
        EXPECT_THROW(runLoop(4, 2, 64, {&body, run}, dear()), std::bad_alloc);
        EXPECT_LE(ran, 128);
        // The pool still works.
        std::atomic<int> sum{0};
        auto add = [&](int i) { sum += i; };
        const auto runAdd = [](void* context, int, int begin, int end, int) {
            for (int i = begin; i < end; ++i) (*static_cast<decltype(add)*>(context))(i);
        };
        runLoop(4, 1, 64, {&add, runAdd}, dear());
        EXPECT_EQ(sum, 63 * 64 / 2);
    }
}

#if defined(__linux__) && !defined(PURL_SANITIZED) && !defined(__clang__)
// In a process without the memory for another stack.
TEST(Refusals, withoutThreadsLoopsRunOnTheCallingThread) {
    const auto squares = [](int threads) {
        std::vector<int> result(64);
        auto body = [&](int i) { result[i] = i * i; };
        const auto run = [](void* context, int, int begin, int end, int) {
            for (int i = begin; i < end; ++i) (*static_cast<decltype(body)*>(context))(i);
        };
        runLoop(threads, 1, 64, {&body, run}, dear());
        return result;
    };
    const std::vector<int> wanted = squares(1);
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    const auto child = [&] {
        size_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        const rlim_t most = pages * static_cast<size_t>(getpagesize()) + (4 << 20);  // a stack is 8 MB
        const rlimit limit{most, most};
        setrlimit(RLIMIT_AS, &limit);
        bool same = true;
        for (int round = 0; round < 20; ++round) same = same && squares(64) == wanted;
        _exit(same ? 7 : 8);
    };
    EXPECT_EXIT(child(), ::testing::ExitedWithCode(7), "");
}
#endif

// Memory is refused before the n-th loop of a frame, for every n: the cancel callback throws instead.
TEST(Refusals, aFrameWithoutMemoryIsAnErrorAndThenTheSameBits) {
    constexpr double kFrame = StateScene::kFrame;
    for (const StateScene& of : stateScenes()) {
        int calls = 0, refuse = 0;
        const auto refuseMemory = [&] {
            if (++calls == refuse) throw std::bad_alloc();
            return false;
        };
        Simulator simulator(Device::cpu(1));
        simulator.reset(of.at(0));
        simulator.advanceTo(of.at(kFrame), kFrame);
        const State before = simulator.state();
        simulator.onCancel(refuseMemory);
        calls = 0;
        simulator.advanceTo(of.at(2 * kFrame), 2 * kFrame);
        const uint64_t wanted = simulator.frame().stateHash;
        const Frame whole = simulator.frame();
        const int all = calls;
        ASSERT_GT(all, 10) << of.name;
        for (int n = 1; n <= all; n += 1 + all / 30) {
            refuse = 0;
            simulator.restore(before, of.at(kFrame));
            calls = 0;
            refuse = n;
            const std::string message = messageOf([&] { simulator.advanceTo(of.at(2 * kFrame), 2 * kFrame); });
            EXPECT_EQ(message.find("solver: out of memory at "), 0u) << of.name << ": " << message;
            refuse = 0;
            const Frame& frame = simulator.advanceTo(of.at(2 * kFrame), 2 * kFrame);
            EXPECT_EQ(frame.stateHash, wanted) << of.name << ", loop " << n << " of " << all;
            EXPECT_EQ(frame.points.positions, whole.points.positions);
            EXPECT_EQ(frame.points.wallOffsets, whole.points.wallOffsets) << of.name << ", loop " << n;
            EXPECT_EQ(frame.stats.steps, whole.stats.steps);
        }
    }
}

TEST(Refusals, aStartWithoutMemoryIsAnErrorAndThenTheSameBits) {
    for (const StateScene& of : stateScenes()) {
        int calls = 0, refuse = 0;
        Simulator simulator(Device::cpu(1));
        simulator.onCancel([&] {
            if (++calls == refuse) throw std::bad_alloc();
            return false;
        });
        const uint64_t wanted = simulator.reset(of.at(0)).stateHash;
        const int all = calls;
        for (int n = 1; n <= all; n += 1 + all / 20) {
            calls = 0;
            refuse = n;
            const std::string message = messageOf([&] { simulator.reset(of.at(0)); });
            // A start equal to the last one reuses its results and has fewer loops.
            const bool refused = message.find("solver: out of memory at ") == 0;
            EXPECT_TRUE(refused || calls < n) << of.name << ": " << message;
            refuse = 0;
            EXPECT_EQ(simulator.reset(of.at(0)).stateHash, wanted) << of.name << ", loop " << n;
        }
    }
}

}  // namespace
}  // namespace purl
