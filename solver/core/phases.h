// Loops one after the other by one team of threads: where each is so short that waking a team for it would take longer.
#pragma once
#include <omp.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

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

// One thread's part of a loop.
struct LoopPart {
    int own, all;

    // Of first … last − 1, what this thread does; the others do the rest.
    std::pair<int, int> of(int first, int last) const {
        const auto cut = [&](int part) { return first + static_cast<int>(int64_t(last - first) * part / all); };
        return {cut(own), cut(own + 1)};
    }
};

// body(phase, part) for phase 0, 1 … phases − 1 in order, each by all threads before the next begins. `size`: of all
// phases together, in pieces of some ten nanoseconds. On the CPU only.
template <class Body>
void forEachInPhases(const Device& device, const char* name, int phases, int64_t size, const Body& body) {
    device.throwIfCancelled();
    if (device.isCuda()) throw Error(std::string("loop ") + name + ": for the CPU only");
    // Less is done sooner than a team is awake.
    constexpr int64_t kWorthThreads = 2048;
    // Asked for so many; there may be fewer.
    const int wanted = size >= kWorthThreads ? device.threads() : 1;
    Meeting meeting;
#pragma omp parallel num_threads(wanted)
    {
        const LoopPart part{omp_get_thread_num(), omp_get_num_threads()};
        for (int phase = 0; phase < phases; ++phase) {
            body(phase, part);
            if (part.all > 1) meeting.join(part.all);
        }
    }
}

}  // namespace purl
