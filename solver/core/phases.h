// Loops one after the other by one team of threads: where each is so short that waking a team for it would take longer.
#pragma once
#include <omp.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>

#include "solver/core/device.h"
#include "solver/core/error.h"

#ifdef __x86_64__
    #include <immintrin.h>
#endif

namespace purl {

// Where threads wait for each other. They look out for a while first: a sleeping thread takes tens of microseconds to
// wake, longer than most loops here last. Then they sleep, for on a busy machine the others may be away for
// milliseconds.
class Meeting {
  public:
    // Returns when so many have come.
    void join(int threads) {
        const int round = round_.load(std::memory_order_relaxed);
        if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads) {
            arrived_.store(0, std::memory_order_relaxed);
            {
                const std::lock_guard<std::mutex> lock(mutex_);
                round_.store(round + 1, std::memory_order_release);
            }
            asleep_.notify_all();
            return;
        }
        constexpr int kLooks = 1000;  // some tens of microseconds
        for (int look = 0; look < kLooks; ++look) {
            if (round_.load(std::memory_order_acquire) != round) return;
#ifdef __x86_64__
            _mm_pause();
#endif
        }
        std::unique_lock<std::mutex> lock(mutex_);
        asleep_.wait(lock, [&] { return round_.load(std::memory_order_acquire) != round; });
    }

  private:
    std::atomic<int> arrived_{0}, round_{0};
    std::mutex mutex_;
    std::condition_variable asleep_;
};

// body(phase, i) for phase 0, 1 … phases − 1 in order, and in each for i from first to last − 1 of range(phase) in no
// particular order. On the CPU only.
template <class Range, class Body>
void forEachInPhases(const Device& device, const char* name, int phases, const Range& range, const Body& body) {
    device.throwIfCancelled();
    if (device.isCuda()) throw Error(std::string("loop ") + name + ": for the CPU only");
    // Less is done sooner than a team is awake.
    constexpr int64_t kWorthThreads = 2048;
    int64_t all = 0;
    for (int phase = 0; phase < phases; ++phase) {
        const auto [first, last] = range(phase);
        all += last - first;
    }
    // Asked for so many; there may be fewer.
    const int wanted = all >= kWorthThreads ? device.threads() : 1;
    Meeting meeting;
#pragma omp parallel num_threads(wanted)
    {
        const int threads = omp_get_num_threads(), own = omp_get_thread_num();
        for (int phase = 0; phase < phases; ++phase) {
            const auto bounds = range(phase);
            const auto cut = [&](int part) {
                return bounds.first + static_cast<int>(int64_t(bounds.second - bounds.first) * part / threads);
            };
            for (int i = cut(own), end = cut(own + 1); i < end; ++i) body(phase, i);
            if (threads > 1) meeting.join(threads);
        }
    }
}

}  // namespace purl
