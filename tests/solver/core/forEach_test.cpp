#include "solver/core/forEach.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

#include "solver/core/buffer.h"
#include "solver/core/random.h"
#include "solver/core/sort.h"
#include "solver/core/threadPool.h"
#include "solver/core/traffic.h"

namespace purl {
namespace {

struct Square {
    Span<int> out;
    PURL_HD void operator()(int i) const { out[i] = i * i; }
};

struct Noise {
    PURL_HD float operator()(int i) const { return randomUnit(7, static_cast<uint64_t>(i)) * 1e6f - 3e5f; }
};

// L-61 L-64. Also if the work is not evenly divisible, and with more threads than cores.
TEST(ForEach, visitsEveryIndexOnceForAnyThreadCount) {
    for (const int threads : {1, 2, 5, 6, 24})
        for (const int count : {0, 1, 511, 512, 2500, 10007}) {
            Buffer<int> out(Device::cpu(threads), count);
            forEach(out.device(), "square", count, Square{out.span()});
            for (int i = 0; i < count; ++i) ASSERT_EQ(out[i], i * i);
        }
}

// Expensive enough for the pool to use every thread.
struct Slow {
    Span<int> out;
    void operator()(int i) const {
        unsigned noise = unsigned(i);
        for (int k = 0; k < 2000; ++k) noise = noise * 1664525u + 1013904223u;
        out[i] = int(noise >> 1);
    }
};

// Threads that ever ran a unit of a loop, each counted once.
std::atomic<int> threadsSeen{0};
void countThread() {
    thread_local bool counted = false;
    if (!std::exchange(counted, true)) ++threadsSeen;
}

// Whether loops on 1, 4 and 24 threads never use more threads than that, and one that waits for a second thread gets
// it. The result is an exit code: 0 if so.
int checkThreadCounts() {
    constexpr float kExpensive = 50e3f;  // ns a unit: the loop gets all the threads that it asks for
    const LoopBody work{nullptr, [](void*, int, int, int, int) {
                            countThread();
                            volatile int spin = 0;
                            for (int k = 0; k < 2000; ++k) spin = spin + 1;
                        }};
    auto giveUp = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    const LoopBody wait{&giveUp, [](void* context, int, int, int, int) {
                            countThread();
                            const auto end = *static_cast<std::chrono::steady_clock::time_point*>(context);
                            while (threadsSeen < 2 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
                        }};
    for (const int threads : {1, 4, 24}) {
        for (int i = 0; i < 50; ++i) {
            LoopCost cost(kExpensive);
            runLoop(threads, 1, 200, work, cost);
        }
        LoopCost cost(kExpensive);
        if (threads > 1) runLoop(threads, 1, threads, wait, cost);
        if (threadsSeen > threads) return 1;
        if (threads > 1 && threadsSeen < 2) return 2;
    }
    return 0;
}

// L-59. Threads are created when a loop first needs them, and reused by all later loops. A child process begins without
// threads of earlier tests.
TEST(ForEach, makesNoThreadTwice) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) _exit(checkThreadCounts());
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_NE(WEXITSTATUS(status), 1) << "a loop used more threads than its device has";
    EXPECT_NE(WEXITSTATUS(status), 2) << "no second thread joined a loop within a minute";
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(ForEach, rethrowsWhatABodyThrewAndRunsTheNextLoop) {
    const Device device = Device::cpu(4);
    std::vector<int> out(64);
    const auto fill = [&](int bad) {
        forEachChunk(device, "throws", 64, 1, [&](int begin, int) {
            if (begin == bad) throw Error("chunk " + std::to_string(begin));
            for (int k = 0; k < 20000; ++k) out[size_t(begin)] += k;
        });
    };
    EXPECT_THROW(fill(17), Error);
    std::fill(out.begin(), out.end(), 0);
    EXPECT_NO_THROW(fill(-1));
    for (const int each : out) EXPECT_EQ(each, out[0]);
}

// Nested loops, and concurrent loops of several simulations, share the workers and terminate.
TEST(ForEach, nestsAndServesSeveralCallers) {
    std::vector<std::thread> callers;
    std::vector<int64_t> sums(4);
    for (size_t caller = 0; caller < sums.size(); ++caller)
        callers.emplace_back([&, caller] {
            const Device device = Device::cpu(3);
            for (int repeat = 0; repeat < 20; ++repeat) {
                std::vector<int64_t> inner(16);
                forEachChunk(device, "outer", 16, 1, [&](int i, int) {
                    inner[size_t(i)] = reduce(
                        device, "inner", 20000, int64_t(0), [](int k) { return int64_t(k); }, Sum{});
                });
                sums[caller] += std::accumulate(inner.begin(), inner.end(), int64_t(0));
            }
        });
    for (std::thread& caller : callers) caller.join();
    for (const int64_t sum : sums) EXPECT_EQ(sum, int64_t(20) * 16 * 19999 * 20000 / 2);
}

// The caller never depends on workers: after fork() there are none, and loops still terminate.
TEST(ForEach, endsWithoutWorkersAfterFork) {
    Buffer<int> out(Device::cpu(4), 5000);
    forEach(out.device(), "slow", out.size(), Slow{out.span()});
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        Buffer<int> own(Device::cpu(4), 5000);
        forEach(own.device(), "slow", own.size(), Slow{own.span()});
        _exit(std::equal(own.begin(), own.end(), out.begin()) ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

// Consecutive loops of different shapes, with more threads than cores.
TEST(ForEachInPhases, visitsEveryPartOnceInLoopsOfChangingShapes) {
    const Device device = Device::cpu(12);
    for (int round = 0; round < 2000; ++round) {
        const int phases = 1 + round % 7, parts = 2 + (round * 5) % 23;
        std::vector<std::atomic<int>> visits(static_cast<size_t>(phases * parts));
        forEachInPhases(device, "shapes", phases, parts, [&](int phase, int part) {
            visits.at(size_t(phase * parts + part)).fetch_add(1);
            volatile int spin = 0;
            for (int k = 0; k < 8000; ++k) spin = spin + 1;
        });
        for (const std::atomic<int>& times : visits) ASSERT_EQ(times, 1) << round;
    }
}

// Graham's bounds for list scheduling, Tₘ ≥ T₁/m and Tₘ ≤ T₁/m + longest claim: the record covers the whole loop, and
// the prediction schedules it.
TEST(LoopRecord, predictsWithinTheBoundsOfListScheduling) {
    Buffer<int> out(Device::cpu(1), 20000);
    forEach(out.device(), "slow", out.size(), Slow{out.span()});  // the pool learns the cost
    LoopRecord record;
    {
        const ScopedLoopRecord recording(record);
        forEach(out.device(), "slow", out.size(), Slow{out.span()});
    }
    forEach(out.device(), "slow", out.size(), Slow{out.span()});
    EXPECT_EQ(record.loops, 1) << "the one within the scope";
    EXPECT_GT(record.claims, 64);
    EXPECT_LE(record.busy, record.inLoops) << "one thread";
    EXPECT_LE(record.busy, record.callerBusy);
    EXPECT_GT(record.busy, 0.25 * record.callerBusy) << "the rest is what recording takes";
    for (int k = 0; k < LoopRecord::kPredictions; ++k) {
        const double share = record.busy / LoopRecord::kCores[k];
        // Rounding of nanoseconds to float; a barrier of all threads takes at most a millisecond even on a busy
        // machine.
        EXPECT_GE(record.predicted[k], 0.999 * share);
        EXPECT_LE(record.predicted[k], 1.001 * share + record.longestClaim + 1e-3);
    }
}

// A loop that is limited by memory bandwidth gains less from more threads than one that computes.
TEST(LoopRecord, loopThatMovesMemoryGainsLessFromThreads) {
    Buffer<int> out(Device::cpu(1), 20000);
    forEach(out.device(), "slow", out.size(), Slow{out.span()});  // measures its cost
    LoopRecord computes, moves;
    {
        const ScopedLoopRecord recording(computes);
        forEach(out.device(), "slow", out.size(), Slow{out.span()});
    }
    {
        const ScopedLoopRecord recording(moves);
        expectTraffic(1e12);  // more than fits into its time: it counts as waiting for memory only
        forEach(out.device(), "slow", out.size(), Slow{out.span()});
    }
    const auto gainWith64 = [](const LoopRecord& record) {
        return record.busy / record.predicted[LoopRecord::kPredictions - 1];
    };
    // One thread moves 10 GB/s or more, and at most 180 GB/s are assumed for 64 threads: a gain of 18 at most, of 64
    // without the bound.
    EXPECT_LT(gainWith64(moves), 0.7 * gainWith64(computes));
    EXPECT_GE(gainWith64(moves), 0.9);
}

// A sleeping thread uses no CPU time, like one that the system has preempted.
TEST(LoopRecord, leavesOutTimeInWhichAThreadDidNotRun) {
    constexpr int kAside = 700;
    constexpr auto kPause = std::chrono::milliseconds(50);
    LoopRecord record;
    {
        const ScopedLoopRecord recording(record);
        forEachChunk(Device::cpu(1), "aside", 1000, 1, [&](int begin, int) {
            volatile int spin = 0;
            for (int k = 0; k < 1000; ++k) spin = spin + 1;
            if (begin == kAside) std::this_thread::sleep_for(kPause);
        });
    }
    const double pause = std::chrono::duration<double>(kPause).count();
    EXPECT_GE(record.inLoops, pause);
    EXPECT_LT(record.longestClaim, 0.5 * pause);
    EXPECT_LT(record.busy, record.inLoops - 0.5 * pause);
    for (const double predicted : record.predicted) EXPECT_LT(predicted, record.inLoops - 0.5 * pause);
}

// Each number becomes the sum of its neighbours in the previous phase, so that a thread that runs ahead is detected.
std::vector<unsigned> sumsBy(int threads, int count, int phases) {
    std::vector<unsigned> numbers[2];
    for (auto& each : numbers) each.assign(static_cast<size_t>(count), 1);
    numbers[0][0] = 7;
    constexpr int kParts = 16;
    forEachInPhases(Device::cpu(threads), "sums", phases, kParts, [&](int phase, int part) {
        const auto cut = [&](int at) { return 1 + static_cast<size_t>((count - 2) * at / kParts); };
        for (size_t k = cut(part); k < cut(part + 1); ++k) {
            const std::vector<unsigned>& from = numbers[phase % 2];
            numbers[1 - phase % 2][k] = from[k - 1] + 3 * from[k] + from[k + 1];
        }
    });
    return numbers[phases % 2];
}

TEST(ForEachInPhases, beginsNoPhaseBeforeTheLastHasEnded) {
    // More threads than cores: some are preempted in the middle of a phase.
    for (const int threads : {2, 3, 16}) EXPECT_EQ(sumsBy(threads, 100000, 100), sumsBy(1, 100000, 100)) << threads;
}

TEST(ForEach, stopsBeforeTheNextKernelWhenCancelled) {
    Device device = Device::cpu(1);
    bool stop = false;
    device.onCancel([&] { return stop; });
    Buffer<int> out(device, 4);
    EXPECT_NO_THROW(forEach(device, "square", 4, Square{out.span()}));
    stop = true;
    EXPECT_THROW(forEach(device, "square", 4, Square{out.span()}), Cancelled);
}

// Floating-point sums depend on their order, so this only holds because the order is fixed.
TEST(Reduce, givesTheSameBitsForAnyThreadCount) {
    for (const int count : {1, 1023, 1024, 1025, 300000}) {
        const float one = reduce(Device::cpu(1), "sum", count, 0.0f, Noise{}, Sum{});
        for (const int threads : {2, 3, 7})
            EXPECT_EQ(one, reduce(Device::cpu(threads), "sum", count, 0.0f, Noise{}, Sum{}));
    }
}

TEST(Reduce, findsTheLargest) {
    float largest = -1e30f;
    for (int i = 0; i < 5000; ++i) largest = std::max(largest, Noise{}(i));
    EXPECT_EQ(largest, reduce(Device::cpu(2), "largest", 5000, -1e30f, Noise{}, Largest{}));
}

TEST(Scan, startsAreTheSumsBefore) {
    Buffer<int> counts(Device::cpu(2), 1000), starts(Device::cpu(2));
    for (int i = 0; i < 1000; ++i) counts[i] = i % 7;
    scan(counts, starts);
    ASSERT_EQ(starts.size(), 1001);
    for (int i = 0, sum = 0; i < 1000; sum += counts[i++]) ASSERT_EQ(starts[i], sum);
    EXPECT_EQ(starts[1000], std::accumulate(counts.begin(), counts.end(), 0));
}

// B-85
TEST(SortByKey, isStableAndEqualForAnyThreadCount) {
    const int n = 50000;
    for (const int threads : {1, 2, 5}) {
        Buffer<uint64_t> keys(Device::cpu(threads), n);
        Buffer<int> order(Device::cpu(threads), n);
        for (int i = 0; i < n; ++i) {
            keys[i] = (uint64_t(randomBits(1, uint64_t(i)) % 100) << 40) | (randomBits(2, uint64_t(i)) % 50);
            order[i] = i;
        }
        std::vector<uint64_t> original(keys.begin(), keys.end());
        sortByKey(keys, order);
        for (int i = 0; i < n; ++i) ASSERT_EQ(keys[i], original[size_t(order[i])]);
        for (int i = 1; i < n; ++i) {
            ASSERT_LE(keys[i - 1], keys[i]);
            if (keys[i - 1] == keys[i]) { ASSERT_LT(order[i - 1], order[i]); }
        }
    }
}

TEST(Device, refusesWhatIsNotThere) {
    EXPECT_THROW(Device::named("quantum"), Error);
    EXPECT_THROW(Device::cpu(-1), Error);
    EXPECT_EQ(Device::named("cpu", 3).threads(), 3);
}

TEST(Buffer, keepsItsContentWhenItGrowsAndZeroesTheRest) {
    Buffer<int> buffer;
    buffer.resize(3);
    for (int i = 0; i < 3; ++i) buffer[i] = i + 1;
    buffer.resize(100);
    EXPECT_EQ(buffer[0], 1);
    EXPECT_EQ(buffer[2], 3);
    for (int i = 3; i < 100; ++i) ASSERT_EQ(buffer[i], 0);
    const Buffer<int> copy = buffer;
    buffer[0] = 9;
    EXPECT_EQ(copy[0], 1);
}

}  // namespace
}  // namespace purl
