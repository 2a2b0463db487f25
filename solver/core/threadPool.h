// The threads that all simulations of a process share, and how a loop is given to them.
//
// A loop is cut into claims: ranges of units that one thread runs at a time. The calling thread takes claims like
// everybody else and waits for nothing but claims that another thread has begun. A worker that is late, or that the
// system has put aside, finds no claim left and goes away; it delays nobody.
#pragma once
#include <atomic>
#include <cstdint>

namespace purl {

// What a unit of a loop costs, learnt from the runs so far; one for each place in the source that runs loops. It
// decides how many threads a loop gets and how finely it is cut, never what it computes.
class LoopCost {
  public:
    explicit LoopCost(float guess) : nanoseconds_(guess) {}

    // ns
    float perUnit() const { return nanoseconds_.load(std::memory_order_relaxed); }
    // After `units` took `nanoseconds` of all threads together.
    void learn(double nanoseconds, int64_t units) {
        const auto measured = static_cast<float>(nanoseconds / static_cast<double>(units));
        const float known = perUnit();
        // A thread that was interrupted shows too large a time, never too small a one.
        nanoseconds_.store(measured < known ? measured : known + kTrust * (measured - known),
                           std::memory_order_relaxed);
    }

  private:
    static constexpr float kTrust = 0.125f;
    std::atomic<float> nanoseconds_;
};

// Times of loops, for the profile; see ScopedLoopRecord.
struct LoopRecord {
    // Thread counts that times are predicted for.
    static constexpr int kCores[] = {2, 4, 8, 16, 32, 64};
    static constexpr int kPredictions = 6;

    int64_t loops = 0, claims = 0;
    double inLoops = 0;                   // s of the clock, of the calling thread within loops
    double callerBusy = 0;                // s of the processor, of the calling thread within loops
    double busy = 0;                      // s, of all threads, at work on claims
    double longestClaim = 0;              // s
    double predicted[kPredictions] = {};  // s, that the loops would take with kCores[k] threads

    void add(const LoopRecord& other);
};

// While it lives, loops that this thread starts are added to the record. Records do not nest: the innermost counts.
class ScopedLoopRecord {
  public:
    explicit ScopedLoopRecord(LoopRecord& record);
    ~ScopedLoopRecord();
    ScopedLoopRecord(const ScopedLoopRecord&) = delete;
    ScopedLoopRecord& operator=(const ScopedLoopRecord&) = delete;

  private:
    LoopRecord* before_;
};

// While it lives, this thread counts as one that works all the time, not only within loops: for threads that do more
// than start loops beside a simulation, so that workers leave them a core.
class ScopedBusyThread {
  public:
    ScopedBusyThread();
    ~ScopedBusyThread();
    ScopedBusyThread(const ScopedBusyThread&) = delete;
    ScopedBusyThread& operator=(const ScopedBusyThread&) = delete;
};

// What a loop does: run(context, phase, begin, end, participant) for units begin … end − 1. `participant` is below
// kMaxParticipants, 0 for the calling thread, and the same for all that one thread does of a loop.
struct LoopBody {
    void* context;
    void (*run)(void* context, int phase, int begin, int end, int participant);
};

constexpr int kMaxParticipants = 256;

// s of the processor that the calling thread has used: unlike the clock's, free of what other processes took meanwhile.
double threadSeconds();

// Cores that this process may use.
int processorCount();

// Runs units 0 … count − 1 of each phase by at most `threads` threads, in no particular order; no unit of a phase
// begins before all of the phase before have ended. The first exception of a body is thrown again here, after every
// claim that was begun has ended.
void runLoop(int threads, int phases, int count, const LoopBody& body, LoopCost& cost);

}  // namespace purl
