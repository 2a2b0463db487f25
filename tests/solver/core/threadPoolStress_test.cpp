// Loops under stress: several callers, more threads than cores, and workers preempted at any instruction. The tsan
// preset runs them under ThreadSanitizer.
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "solver/core/error.h"
#include "solver/core/threadPool.h"

namespace purl {
namespace {

// ns. A loop with units of this estimated cost gets all the threads that it asks for.
constexpr float kDear = 50e3f;

// Some microseconds of work, during which other threads can join.
void spin() {
    volatile int n = 0;
    for (int k = 0; k < 2000; ++k) n = n + 1;
}

// Preempts registered threads for a moment, at an arbitrary instruction, like a busy system.
class Disturbance {
  public:
    Disturbance() {
        // The handler stays installed: a signal may still be pending when the test has ended.
        struct sigaction action = {};
        action.sa_handler = [](int) {
            const timespec pause = {0, 100000};
            nanosleep(&pause, nullptr);
        };
        action.sa_flags = SA_RESTART;
        sigaction(SIGUSR2, &action, nullptr);
        thread_ = std::thread([this] {
            for (size_t next = 0; !stop_; ++next) {
                {
                    const std::lock_guard<std::mutex> lock(mutex_);
                    if (!workers_.empty()) pthread_kill(workers_[next % workers_.size()], SIGUSR2);
                }
                std::this_thread::sleep_for(std::chrono::microseconds(20));
            }
        });
    }
    ~Disturbance() {
        stop_ = true;
        thread_.join();
    }
    // Called by a thread that lives as long as this object.
    void include() {
        thread_local const Disturbance* known = nullptr;
        if (std::exchange(known, this) == this) return;
        const std::lock_guard<std::mutex> lock(mutex_);
        workers_.push_back(pthread_self());
    }

  private:
    std::mutex mutex_;
    std::vector<pthread_t> workers_;
    std::atomic<bool> stop_{false};
    std::thread thread_;
};

// A loop that counts how often each of its units is run, and detects units of another loop and late ones.
struct CountedLoop {
    const int phases, count;
    Disturbance* disturbance = nullptr;
    std::vector<std::atomic<int>> visits;
    std::atomic<bool> ended{false};
    std::atomic<int> strays{0};

    CountedLoop(int p, int c) : phases(p), count(c), visits(static_cast<size_t>(p * c)) {}

    void run(int threads) {
        LoopCost cost(kDear);
        const auto body = [](void* self, int phase, int begin, int end, int participant) {
            static_cast<CountedLoop*>(self)->visit(phase, begin, end, participant);
        };
        runLoop(threads, phases, count, {this, body}, cost);
        ended = true;
    }
    void visit(int phase, int begin, int end, int participant) {
        if (disturbance && participant > 0) disturbance->include();
        if (ended || phase < 0 || phase >= phases || begin < 0 || end > count) {
            ++strays;
            return;
        }
        spin();
        for (int i = begin; i < end; ++i) visits[phase * count + i].fetch_add(1);
    }
    int wrongUnits() const {
        int wrong = strays;
        for (const std::atomic<int>& times : visits) wrong += times != 1;
        return wrong;
    }
};

// A worker that was preempted between inspecting a loop and taking a claim must take nothing once the loop has ended
// and the next one, of another shape, uses the same slot.
TEST(ThreadPoolStress, aWorkerPutAsideTakesNothingOfALoopThatHasEnded) {
    Disturbance disturbance;
    std::vector<std::unique_ptr<CountedLoop>> loops;  // kept alive: a late worker may still access one
    for (int round = 0; round < 4000; ++round) {
        loops.push_back(std::make_unique<CountedLoop>(1 + round % 7, 2 + (round * 5) % 23));
        loops.back()->disturbance = &disturbance;
        loops.back()->run(2 + round % 6);
    }
    for (const auto& loop : loops) ASSERT_EQ(loop->wrongUnits(), 0) << loop->phases << " x " << loop->count;
}

TEST(ThreadPoolStress, loopsOfSeveralCallersRunEveryUnitOnce) {
    std::vector<std::thread> callers;
    std::vector<int> wrong(4);
    for (int caller = 0; caller < 4; ++caller)
        callers.emplace_back([&wrong, caller] {
            for (int round = 0; round < 400; ++round) {
                CountedLoop loop(1 + (round + caller) % 5, 1 + (round * 7 + caller) % 40);
                loop.run(1 + (round + 3 * caller) % 12);
                wrong[caller] += loop.wrongUnits();
            }
        });
    for (std::thread& caller : callers) caller.join();
    for (const int each : wrong) EXPECT_EQ(each, 0);
}

// Non-atomic memory, so that ThreadSanitizer checks that the end of a phase, and of the loop, orders the writes.
TEST(ThreadPoolStress, aPhaseSeesAllThatTheOneBeforeWrote) {
    struct Relay {
        std::vector<int> values[2];
    } relay;
    constexpr int kCount = 64, kPhases = 6;
    for (int round = 0; round < 300; ++round) {
        relay.values[0].assign(kCount, round);
        relay.values[1].assign(kCount, 0);
        // Each unit adds one to its neighbour's value of the previous phase.
        const auto body = [](void* self, int phase, int begin, int end, int) {
            auto& [a, b] = static_cast<Relay*>(self)->values;
            const std::vector<int>& from = phase % 2 ? b : a;
            std::vector<int>& to = phase % 2 ? a : b;
            spin();
            for (int i = begin; i < end; ++i) to[i] = from[(i + 17) % kCount] + 1;
        };
        LoopCost cost(kDear);
        runLoop(9, kPhases, kCount, {&relay, body}, cost);
        for (const int value : relay.values[kPhases % 2]) ASSERT_EQ(value, round + kPhases);
    }
}

TEST(ThreadPoolStress, anErrorReachesItsOwnCallerOnly) {
    std::vector<std::thread> callers;
    std::vector<int> caught(4);
    for (int caller = 0; caller < 4; ++caller)
        callers.emplace_back([&caught, caller] {
            int failing = caller % 2 ? 5 : -1;
            const auto body = [](void* self, int, int begin, int end, int) {
                const int bad = *static_cast<int*>(self);
                spin();
                if (begin <= bad && bad < end) throw Error("unit 5");
            };
            for (int round = 0; round < 200; ++round) try {
                    LoopCost cost(kDear);
                    runLoop(6, 1, 12, {&failing, body}, cost);
                } catch (const Error&) { ++caught[caller]; }
        });
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(caught, (std::vector<int>{0, 200, 0, 200}));
}

}  // namespace
}  // namespace purl
