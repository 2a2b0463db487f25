// The thread pool shared by all simulations of a process, and how a loop is distributed over it.
// A loop is cut into claims: ranges of units that one thread runs at a time. The calling thread takes claims like the
// workers do and waits only for claims that another thread has already begun. A worker that is late, or that the
// operating system has preempted, finds no claim left and returns; it delays nobody.
#pragma once
#include <atomic>
#include <cstdint>

namespace purl {

// Running estimate of the cost of a loop unit, one for each place in the source that runs a loop. It decides how many
// threads a loop gets and the claim size, never the results.
class LoopCost {
  public:
    explicit LoopCost(float guess) : nanoseconds_(guess) {}

    // ns
    float perUnit() const { return nanoseconds_.load(std::memory_order_relaxed); }
    // Updates the estimate after `units` took `nanoseconds`, summed over all threads.
    void learn(double nanoseconds, int64_t units) {
        const auto measured = static_cast<float>(nanoseconds / static_cast<double>(units));
        const float known = perUnit();
        // A preempted thread measures too long a time, never too short: follow decreases at once, average increases.
        nanoseconds_.store(measured < known ? measured : known + kAveraging * (measured - known),
                           std::memory_order_relaxed);
    }

  private:
    static constexpr float kAveraging = 0.125f;
    std::atomic<float> nanoseconds_;
};

// Loop statistics for the profile; see ScopedLoopRecord.
struct LoopRecord {
    // Thread counts for which run times are predicted.
    static constexpr int kCores[] = {2, 4, 8, 16, 32, 64};
    static constexpr int kPredictions = 6;

    int64_t loops = 0, claims = 0;
    double inLoops = 0;                   // s of wall-clock time that the calling thread spent in loops
    double callerBusy = 0;                // s of CPU time that the calling thread spent in loops
    double busy = 0;                      // s, running claims, summed over all threads
    double longestClaim = 0;              // s
    double predicted[kPredictions] = {};  // s, predicted loop time with kCores[k] threads

    void add(const LoopRecord& other);
};

// During its lifetime, loops started by this thread are added to the record. Records do not nest: the innermost counts.
class ScopedLoopRecord {
  public:
    explicit ScopedLoopRecord(LoopRecord& record);
    ~ScopedLoopRecord();
    ScopedLoopRecord(const ScopedLoopRecord&) = delete;
    ScopedLoopRecord& operator=(const ScopedLoopRecord&) = delete;

  private:
    LoopRecord* before_;
};

// During its lifetime, this thread counts as busy even outside loops, so that the pool leaves it a core. For threads
// that do other work beside a simulation.
class ScopedBusyThread {
  public:
    ScopedBusyThread();
    ~ScopedBusyThread();
    ScopedBusyThread(const ScopedBusyThread&) = delete;
    ScopedBusyThread& operator=(const ScopedBusyThread&) = delete;
};

// The body of a loop: run(context, phase, begin, end, participant) for units begin … end − 1. `participant` is below
// kMaxParticipants, 0 for the calling thread, and constant for each thread during a loop.
struct LoopBody {
    void* context;
    void (*run)(void* context, int phase, int begin, int end, int participant);
};

constexpr int kMaxParticipants = 256;

// s of CPU time used by the calling thread; excludes time taken by other processes.
double threadSeconds();

// Cores available to this process.
int processorCount();

// Runs units 0 … count − 1 of each phase on at most `threads` threads, in unspecified order, with a barrier between
// phases. The first exception thrown by a body is rethrown here, after all claims that were begun have ended.
void runLoop(int threads, int phases, int count, const LoopBody& body, LoopCost& cost);

}  // namespace purl
