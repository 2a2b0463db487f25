#include "solver/core/threadPool.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <utility>
#include <vector>

#include "solver/core/machine.h"
#include "solver/core/system.h"
#include "solver/core/traffic.h"

#ifdef __x86_64__
    #include <immintrin.h>
#endif
#ifdef __unix__
    #include <pthread.h>
    #include <sched.h>
#endif

namespace purl {
namespace {

using Clock = std::chrono::steady_clock;

double nanosecondsSince(Clock::time_point start) {
    return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

// ns. Least work that justifies another thread: little if a worker is spinning, more if it sleeps, because waking takes
// tens of microseconds.
constexpr double kMinWorkAwake = 8e3, kMinWorkAsleep = 30e3;
// ns. Bounds of the claim length: long enough to amortize taking it, short enough that nobody waits long for it.
constexpr double kShortestClaim = 4e3, kLongestClaim = 100e3;
constexpr int kClaimsPerThread = 8, kMaxClaims = 4096;
// ns that a worker spins before it sleeps. The loops of a step follow each other more closely than that.
constexpr double kSpinTime = 300e3;
// Spins of a thread that waits for another thread's claim before it yields its core.
constexpr int kSpinsBeforeYield = 2000;
// Maximum number of concurrent loops; further loops run on their calling thread alone.
constexpr int kSlots = 16;

void relax() {
#ifdef __x86_64__
    _mm_pause();
#else
    std::this_thread::yield();
#endif
}

thread_local LoopRecord* currentRecord = nullptr;
thread_local double expectedTraffic = 0;  // bytes that the next loop moves; see expectTraffic
thread_local int busyScopes = 0;          // of this thread: active ScopedBusyThread objects and loops

// How a loop is cut: `claims` ranges per phase, divided into `lanes` of consecutive ranges. A thread starts in its own
// lane, the same in every phase and in the next loop over the same data, for cache locality. When that lane is empty it
// steals from the others.
struct Shape {
    LoopBody body{};
    int phases = 0, count = 0;
    int perClaim = 1, claims = 0, lanes = 1;
    float* times = nullptr;  // ns of each claim, phase by phase; null if not recorded

    int laneBegin(int lane) const { return static_cast<int>(int64_t(claims) * lane / lanes); }
    uint32_t allClaims() const { return static_cast<uint32_t>(phases) * static_cast<uint32_t>(claims); }
};

// A running loop. Slots are never freed, and `shape` is read only by a thread that holds a claim, so a worker may be
// arbitrarily late. The upper half of a lane's `next` is the loop number, so a claim can only be taken for the loop it
// was looked up for. Everything a worker reads before it holds a claim is duplicated in the atomics.
struct alignas(64) Slot {
    struct alignas(64) Lane {
        std::atomic<uint64_t> next{0};    // loop number (upper half); claims taken so far, all phases (lower half)
        std::atomic<uint32_t> length{0};  // claims per phase
    };
    // Read-only while the loop runs; on cache lines separate from what every claim writes.
    std::atomic<uint32_t> loop{0}, lanes{0}, claims{0}, phases{0};
    std::atomic<int> wanted{0}, helpers{0};
    std::atomic<bool> taken{false}, failed{false};
    Shape shape;
    std::exception_ptr error;
    std::mutex errorMutex;
    alignas(64) std::atomic<uint32_t> done{0};  // finished claims of all phases
    std::atomic<int64_t> busy{0};               // ns
    Lane lane[kMaxParticipants];

    void publish(const Shape& next, int helpers) {
        const uint32_t number = loop.load(std::memory_order_relaxed) + 1;
        // Store the new loop number in the lanes first, so that no late worker can take a claim of the old loop. A
        // worker sees the new values only after acquiring one of the lanes.
        const int stale = std::max(shape.lanes, next.lanes);
        for (int k = 0; k < stale; ++k) lane[k].next.store(uint64_t(number) << 32, std::memory_order_relaxed);
        shape = next;
        for (int k = 0; k < stale; ++k) {
            const int length = k < shape.lanes ? shape.laneBegin(k + 1) - shape.laneBegin(k) : 0;
            lane[k].length.store(static_cast<uint32_t>(length), std::memory_order_release);
        }
        lanes.store(static_cast<uint32_t>(shape.lanes), std::memory_order_release);
        claims.store(static_cast<uint32_t>(shape.claims), std::memory_order_release);
        phases.store(static_cast<uint32_t>(shape.phases), std::memory_order_release);
        done.store(0, std::memory_order_release);
        busy.store(0, std::memory_order_relaxed);
        failed.store(false, std::memory_order_relaxed);
        wanted.store(helpers, std::memory_order_relaxed);
        loop.store(number, std::memory_order_release);
    }

    bool hasEnded() const { return done.load(std::memory_order_acquire) >= shape.allClaims(); }
    bool wantsHelp() const {
        return wanted.load(std::memory_order_relaxed) > 0 &&
               done.load(std::memory_order_relaxed) <
                   phases.load(std::memory_order_relaxed) * claims.load(std::memory_order_relaxed);
    }

    void run(int inLane, uint32_t claimed, int participant) {
        const auto start = Clock::now();
        const int length = shape.laneBegin(inLane + 1) - shape.laneBegin(inLane);
        const int phase = static_cast<int>(claimed) / length;
        const int claim = shape.laneBegin(inLane) + static_cast<int>(claimed) % length;
        if (!failed.load(std::memory_order_relaxed)) {
            const int begin = claim * shape.perClaim;
            const int end = shape.count - begin < shape.perClaim ? shape.count : begin + shape.perClaim;
            // Nested loops count as part of this one and are not recorded separately.
            LoopRecord* const record = std::exchange(currentRecord, nullptr);
            try {
                shape.body.run(shape.body.context, phase, begin, end, participant);
            } catch (...) {
                const std::lock_guard<std::mutex> lock(errorMutex);
                if (!error) error = std::current_exception();
                failed.store(true, std::memory_order_relaxed);
            }
            currentRecord = record;
        }
        const double nanoseconds = nanosecondsSince(start);
        if (shape.times) shape.times[phase * shape.claims + claim] = static_cast<float>(nanoseconds);
        busy.fetch_add(static_cast<int64_t>(nanoseconds), std::memory_order_relaxed);
        done.fetch_add(1, std::memory_order_acq_rel);
    }

    enum class ClaimResult { claim, later, nothing };
    // Takes and runs a claim of the lane, if its phase has begun.
    ClaimResult tryLane(uint32_t number, int inLane, int participant) {
        uint64_t word = lane[inLane].next.load(std::memory_order_acquire);
        for (;;) {
            const auto claimed = static_cast<uint32_t>(word);
            const uint32_t length = lane[inLane].length.load(std::memory_order_acquire);
            if (word >> 32 != number || length == 0) return ClaimResult::nothing;
            const uint32_t phase = claimed / length;
            if (phase >= phases.load(std::memory_order_acquire)) return ClaimResult::nothing;
            if (done.load(std::memory_order_acquire) < phase * claims.load(std::memory_order_acquire))
                return ClaimResult::later;
            if (!lane[inLane].next.compare_exchange_weak(word, word + 1, std::memory_order_acq_rel)) continue;
            run(inLane, claimed, participant);
            return ClaimResult::claim;
        }
    }

    // Takes claims of the loop until none is left, or until mayStay returns false. That is asked after every claim of a
    // worker, and when the other threads take long to finish a phase. The caller always stays.
    template <class MayStay>
    void work(uint32_t number, int participant, const MayStay& mayStay) {
        const auto count = static_cast<int>(lanes.load(std::memory_order_relaxed));
        if (count <= 0 || count > kMaxParticipants) return;
        const int own = participant % count;
        for (int spins = 0;;) {
            bool later = false, claimed = false;
            for (int k = 0; k < count; ++k) {
                const int inLane = own + k < count ? own + k : own + k - count;
                ClaimResult result = ClaimResult::claim;
                while ((result = tryLane(number, inLane, participant)) == ClaimResult::claim) {
                    claimed = true;
                    if (!mayStay(false)) return;
                }
                later = later || result == ClaimResult::later;
            }
            if (claimed) spins = 0;
            if (!later && !claimed) return;
            if (claimed) continue;
            if (++spins < kSpinsBeforeYield)
                relax();
            else if (mayStay(true))
                std::this_thread::yield();
            else
                return;
        }
    }
};

// Removes `excess` from the longest times: chunks that seem to have taken far longer than the others were preempted.
// Both in ns.
void capLongest(float* times, int count, double excess) {
    std::vector<float> sorted(times, times + count);
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    // All times are capped at this level.
    double level = 0, above = 0;
    for (int k = 0; k < count; ++k) {
        above += double(sorted[k]);
        level = (above - excess) / (k + 1);
        if (k + 1 == count || level >= double(sorted[static_cast<size_t>(k) + 1])) break;
    }
    for (int k = 0; k < count; ++k) times[k] = std::min(times[k], static_cast<float>(std::max(0.0, level)));
}

// Predicted time of a loop on `threads` threads by greedy list scheduling, ns.
double listSchedule(const float* times, int count, int threads) {
    if (threads <= 1) {
        double sum = 0;
        for (int k = 0; k < count; ++k) sum += double(times[k]);
        return sum;
    }
    std::priority_queue<double, std::vector<double>, std::greater<>> ends;
    double last = 0;
    for (int k = 0; k < count; ++k) {
        double start = 0;
        if (static_cast<int>(ends.size()) == threads) {
            start = ends.top();
            ends.pop();
        }
        ends.push(start + double(times[k]));
        last = std::max(last, start + double(times[k]));
    }
    return last;
}

// Memory bandwidth, bytes per second.
struct Bandwidth {
    int cores = 1;
    double one = 0, all = 0;  // measured with one thread and with as many as there are cores

    // Assumed for machines with more cores than this one: what eight channels of DDR4-3200 sustain.
    static constexpr double kMaxAssumed = 180e9;

    double of(int threads) const {
        if (threads <= cores) return std::min(threads * one, all);
        return std::max(all, std::min(all * threads / cores, kMaxAssumed));
    }
};

int usefulThreads(double work, int threads, double minWork) {
    return static_cast<int>(std::clamp(work / minWork, 1.0, static_cast<double>(threads)));
}

class ThreadPool {
  public:
    // Created when the first loop runs, destroyed with the process or when the plugin is unloaded. A child of fork()
    // has no workers and possibly a locked mutex, so it gets a new pool.
    static ThreadPool& instance() {
        static const Owner owner;
        return *current();
    }

    ~ThreadPool() {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            stop_ = true;
            epoch_.fetch_add(1);
        }
        asleep_.notify_all();
        for (std::thread& worker : workers_) worker.join();
    }

    void run(int threads, int phases, int count, const LoopBody& body, LoopCost& cost) {
        LoopRecord* const record = currentRecord;
        const double traffic = std::exchange(expectedTraffic, 0);
        const double work = double(cost.perUnit()) * count * phases;
        threads = std::min(threads, kMaxParticipants);
        // With several phases, the work per phase decides how many threads pay off.
        const double inPhase = work / phases;
        // Leave cores to the other busy threads.
        const int others = running_.load(std::memory_order_relaxed) - (busyScopes > 0 ? 1 : 0);
        threads = std::min(threads, std::max(1, std::max(cores_, threads) - others));
        int used = 1;
        if (threads > 1) {
            const bool awake = spinning_.load(std::memory_order_relaxed) > 0;
            used = awake ? usefulThreads(inPhase, threads, kMinWorkAwake)
                         : std::min(usefulThreads(work, threads, kMinWorkAsleep),
                                    usefulThreads(inPhase, threads, kMinWorkAwake));
        }
        Shape shape{body, phases, count, 1, count, 1, nullptr};
        const int cutFor = record ? LoopRecord::kCores[LoopRecord::kPredictions - 1] : used;
        const double claim = std::clamp(inPhase / (cutFor * kClaimsPerThread), kShortestClaim, kLongestClaim);
        const double fewest = static_cast<double>(count) / kMaxClaims;
        shape.perClaim = static_cast<int>(std::clamp(std::max(claim / std::max(1e-3, double(cost.perUnit())), fewest),
                                                     1.0, static_cast<double>(count)));
        shape.claims = (count - 1) / shape.perClaim + 1;
        used = std::min(used, shape.claims);
        shape.lanes = used;
        const double recordBegan = record ? threadSeconds() : 0;
        std::vector<float> times;
        if (record) {
            times.resize(shape.allClaims());
            shape.times = times.data();
        }
        // Nothing may throw from here until the slot is released: other threads work in it.
        Slot* const slot = used > 1 || record ? take() : nullptr;
        if (!slot) {
            const auto start = Clock::now();
            for (int phase = 0; phase < phases; ++phase) body.run(body.context, phase, 0, count, 0);
            cost.learn(nanosecondsSince(start), int64_t(count) * phases);
            return;
        }
        const auto start = Clock::now();
        const double busyBefore = record ? threadSeconds() : 0;
        slot->publish(shape, used - 1);
        if (used > 1) callHelpers(used - 1);
        beginBusy();
        slot->work(slot->loop.load(std::memory_order_relaxed), 0, [](bool) { return true; });
        endBusy();
        for (int spin = 0; !slot->hasEnded(); ++spin)
            if (spin < kSpinsBeforeYield)
                relax();
            else
                std::this_thread::yield();
        const double elapsed = nanosecondsSince(start);
        auto busy = static_cast<double>(slot->busy.load(std::memory_order_relaxed));
        cost.learn(busy, int64_t(count) * phases);
        const std::exception_ptr error = std::exchange(slot->error, nullptr);
        slot->taken.store(false, std::memory_order_release);
        if (record) {
            const double callerBusy = 1e9 * (threadSeconds() - busyBefore);
            if (used == 1 && busy > callerBusy) {
                capLongest(times.data(), static_cast<int>(times.size()), busy - callerBusy);
                busy = callerBusy;
            }
            add(*record, shape, elapsed, busy, traffic);
            record->callerBusy += threadSeconds() - recordBegan;
        }
        if (error) std::rethrow_exception(error);
    }

    void beginBusy() {
        if (busyScopes++ == 0) running_.fetch_add(1, std::memory_order_relaxed);
    }
    void endBusy() {
        if (--busyScopes == 0) running_.fetch_sub(1, std::memory_order_relaxed);
    }

  private:
    struct Owner {
        Owner() {
            current() = new ThreadPool;
#ifdef __unix__
            pthread_atfork(nullptr, nullptr, [] { current() = new ThreadPool; });
#endif
        }
        ~Owner() { delete current(); }
    };
    static ThreadPool*& current() {
        static ThreadPool* pool = nullptr;
        return pool;
    }

    Slot* take() {
        for (Slot& slot : slots_) {
            bool free = false;
            if (!slot.taken.load(std::memory_order_relaxed) &&
                slot.taken.compare_exchange_strong(free, true, std::memory_order_acquire))
                return &slot;
        }
        return nullptr;
    }

    void callHelpers(int helpers) {
        if (created_.load(std::memory_order_relaxed) < helpers) makeWorkers(helpers);
        keepOffCallersCores();
        epoch_.fetch_add(1);
        const int missing = std::min(helpers - spinning_.load(std::memory_order_relaxed), sleeping_.load());
        if (missing <= 0) return;
        const std::lock_guard<std::mutex> lock(mutex_);
        for (int k = 0; k < missing; ++k) asleep_.notify_one();
    }

    void makeWorkers(int helpers) {
        const Clock::rep now = Clock::now().time_since_epoch().count();
        if (now < retry_.load(std::memory_order_relaxed)) return;
        const std::lock_guard<std::mutex> lock(mutex_);
        while (static_cast<int>(workers_.size()) < helpers) {
            const int participant = static_cast<int>(workers_.size()) + 1;
            try {
                workers_.emplace_back([this, participant] { workerMain(participant); });
            } catch (const std::exception&) {
                // Out of threads or memory: continue with the workers there are, and retry later.
                retry_.store(now + Clock::duration(kRetry).count(), std::memory_order_relaxed);
                break;
            }
        }
        created_.store(static_cast<int>(workers_.size()), std::memory_order_relaxed);
#ifdef __linux__
        workersCores_ = allowed_;  // new workers have no affinity yet
        placed_.store(0, std::memory_order_relaxed);
#endif
    }

    // When other processes keep the other cores busy, the Linux scheduler wakes workers on the caller's core, whatever
    // the priority of those processes, and the two then take turns. So workers are restricted to cores without a
    // caller.
    void keepOffCallersCores() {
#ifdef __linux__
        const int core = sched_getcpu();
        const Clock::duration now = Clock::now().time_since_epoch();
        if (core < 0) return;
        Caller& own = callers_[static_cast<size_t>(callerNumber()) % kCallers];
        own.seen.store(now.count(), std::memory_order_relaxed);
        const bool moved = own.core.exchange(core, std::memory_order_relaxed) != core;
        if (!moved && (now - Clock::duration(placed_.load(std::memory_order_relaxed))) < kPlacementInterval) return;
        const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
        if (!lock) return;
        placed_.store(now.count(), std::memory_order_relaxed);
        cpu_set_t cores = allowed_;
        for (const Caller& caller : callers_)
            if (now - Clock::duration(caller.seen.load(std::memory_order_relaxed)) < kPlacementInterval)
                CPU_CLR(static_cast<unsigned>(caller.core.load(std::memory_order_relaxed)), &cores);
        if (CPU_COUNT(&cores) == 0 || CPU_EQUAL(&cores, &workersCores_)) return;
        workersCores_ = cores;
        for (std::thread& worker : workers_) pthread_setaffinity_np(worker.native_handle(), sizeof cores, &cores);
#endif
    }

    // Workers and callers together never exceed the number of cores, or the number that the loop asked for.
    bool helpOnce(int participant) {
        bool helped = false;
        for (Slot& slot : slots_) {
            if (!slot.wantsHelp()) continue;
            const int wanted = slot.wanted.load(std::memory_order_relaxed), most = std::max(cores_, wanted + 1);
            if (running_.load(std::memory_order_relaxed) >= most) continue;
            if (slot.helpers.fetch_add(1, std::memory_order_relaxed) < wanted) {
                beginBusy();
                slot.work(slot.loop.load(std::memory_order_acquire), participant, [&](bool waitsLong) {
                    return !waitsLong && running_.load(std::memory_order_relaxed) <= most;
                });
                endBusy();
                helped = true;
            }
            slot.helpers.fetch_sub(1, std::memory_order_relaxed);
        }
        return helped;
    }

    void workerMain(int participant) {
        while (!stop_.load(std::memory_order_relaxed)) {
            const unsigned seen = epoch_.load();
            if (helpOnce(participant)) continue;
            if (spinForWork(seen)) continue;
            std::unique_lock<std::mutex> lock(mutex_);
            sleeping_.fetch_add(1);
            asleep_.wait(lock, [&] { return epoch_.load() != seen || stop_.load(); });
            sleeping_.fetch_sub(1);
        }
    }

    // Spins until a loop is published; returns true if one was.
    bool spinForWork(unsigned seen) {
        spinning_.fetch_add(1, std::memory_order_relaxed);
        const auto start = Clock::now();
        bool found = false;
        do {
            for (int spin = 0; spin < 64 && !found; ++spin) {
                found = epoch_.load(std::memory_order_relaxed) != seen;
                relax();
            }
        } while (!found && running_.load(std::memory_order_relaxed) < cores_ && nanosecondsSince(start) < kSpinTime);
        spinning_.fetch_sub(1, std::memory_order_relaxed);
        return found;
    }

    // ns: overhead of handing a phase to a second thread and waiting for it. Measured once, as the minimum of several
    // tries: other processes can only increase it.
    double barrierCost() {
        static const double measured = [this] {
            if (cores_ < 2) return kTypicalBarrier;
            constexpr int kPhases = 100, kTries = 40;
            const LoopBody nothing{nullptr, [](void*, int, int, int, int) {}};
            LoopRecord* const record = std::exchange(currentRecord, nullptr);
            double best = kSpinTime;
            for (int k = 0; k < kTries; ++k) {
                LoopCost twoThreads(4 * static_cast<float>(kMinWorkAwake));
                const auto start = Clock::now();
                run(2, kPhases, 2, nothing, twoThreads);
                best = std::min(best, nanosecondsSince(start) / kPhases);
            }
            currentRecord = record;
            return best;
        }();
        return measured;
    }

    // STREAM triad a = b + 3 c over arrays larger than the caches; a written cache line is read first. Measured once.
    // Each piece counts with its best time, since other processes can only slow it down.
    const Bandwidth& bandwidth() {
        static const Bandwidth measured = [this] {
            constexpr int kPieces = 128, kPiece = 1 << 16, kTries = 8;
            struct Arrays {
                std::vector<float> a = std::vector<float>(kPieces * kPiece), b = a, c = a;
                std::vector<double> best = std::vector<double>(kPieces);  // ns

                void add(int piece) {
                    const auto start = Clock::now();
                    const size_t begin = static_cast<size_t>(piece) * kPiece;
                    for (size_t i = begin; i < begin + kPiece; ++i) a[i] = b[i] + 3 * c[i];
                    double& known = best[static_cast<size_t>(piece)];
                    known = std::min(known, nanosecondsSince(start));
                }
            } arrays;
            const LoopBody triad{&arrays, [](void* context, int, int begin, int end, int) {
                                     for (int piece = begin; piece < end; ++piece)
                                         static_cast<Arrays*>(context)->add(piece);
                                 }};
            LoopRecord* const record = std::exchange(currentRecord, nullptr);
            const auto bytesPerSecond = [&](int threads) {
                std::fill(arrays.best.begin(), arrays.best.end(), 1e30);
                for (int k = 0; k < kTries; ++k) {
                    LoopCost cost(static_cast<float>(kLongestClaim));
                    run(threads, 1, kPieces, triad, cost);
                }
                double sum = 0;
                for (const double time : arrays.best) sum += 1e-9 * time;
                return threads * 4.0 * sizeof(float) * kPieces * kPiece / sum;
            };
            Bandwidth found;
            found.cores = cores_;
            found.one = bytesPerSecond(1);
            found.all = std::clamp(bytesPerSecond(cores_), found.one, cores_ * found.one);
            currentRecord = record;
            return found;
        }();
        return measured;
    }

    // Factor by which a loop's claims take longer with more than `used` threads. A claim either computes or waits for
    // memory, which all threads share.
    double slowdown(double traffic, double busy, int used, int threads) {
        if (traffic < kCacheSize || threads <= used) return 1;
        const Bandwidth& memory = bandwidth();
        const double before = used / memory.of(used), waits = std::min(1.0, 1e9 * traffic * before / busy);
        return 1 + waits * (threads / memory.of(threads) / before - 1);
    }

    // Predicts the loop's time with other thread counts by list scheduling of its claims. The barrier is one contended
    // cache line, so its cost grows by one step with each doubling of the threads.
    void add(LoopRecord& record, const Shape& shape, double elapsed, double busy, double traffic) {
        ++record.loops;
        record.claims += shape.allClaims();
        record.inLoops += 1e-9 * elapsed;
        record.busy += 1e-9 * busy;
        const float longest = *std::max_element(shape.times, shape.times + shape.allClaims());
        record.longestClaim = std::max(record.longestClaim, 1e-9 * double(longest));
        for (int k = 0; k < LoopRecord::kPredictions; ++k) {
            const int threads = usefulThreads(busy / shape.phases, LoopRecord::kCores[k], kMinWorkAwake);
            double sum = 0;
            for (int phase = 0; phase < shape.phases; ++phase)
                sum += listSchedule(shape.times + static_cast<ptrdiff_t>(phase) * shape.claims, shape.claims, threads);
            sum *= slowdown(traffic, busy, shape.lanes, threads);
            int doublings = 0;
            while (1 << doublings < threads) ++doublings;
            record.predicted[k] += 1e-9 * (sum + shape.phases * doublings * barrierCost());
        }
    }

    static constexpr double kCacheSize = 64e6;        // bytes: a loop that moves less may find its data in caches
    static constexpr double kTypicalBarrier = 1.5e3;  // ns

    Slot slots_[kSlots];
    const int cores_ = processorCount();
    std::mutex mutex_;
    std::condition_variable asleep_;
    std::atomic<unsigned> epoch_{0};
    std::atomic<int> sleeping_{0}, spinning_{0}, running_{0}, created_{0};
    std::atomic<bool> stop_{false};
    static constexpr std::chrono::seconds kRetry{1};
    std::atomic<Clock::rep> retry_{Clock::duration::min().count()};  // earliest time to try to create threads again
    std::vector<std::thread> workers_;
#ifdef __linux__
    static cpu_set_t allowedCores() {
        cpu_set_t cores;
        CPU_ZERO(&cores);
        sched_getaffinity(0, sizeof cores, &cores);
        return cores;
    }
    static int callerNumber() {
        static std::atomic<int> callers{0};
        thread_local const int own = callers.fetch_add(1);
        return own;
    }
    static constexpr size_t kCallers = 16;
    // Core and time at which a thread that starts loops was last seen.
    struct Caller {
        std::atomic<int> core{-1};
        std::atomic<Clock::rep> seen{0};
    };
    static constexpr Clock::duration kPlacementInterval = std::chrono::milliseconds(20);
    const cpu_set_t allowed_ = allowedCores();
    cpu_set_t workersCores_ = allowed_;
    Caller callers_[kCallers];
    std::atomic<Clock::rep> placed_{0};
#endif
};

}  // namespace

void LoopRecord::add(const LoopRecord& other) {
    loops += other.loops;
    claims += other.claims;
    inLoops += other.inLoops;
    callerBusy += other.callerBusy;
    busy += other.busy;
    longestClaim = std::max(longestClaim, other.longestClaim);
    for (int k = 0; k < kPredictions; ++k) predicted[k] += other.predicted[k];
}

void expectTraffic(double bytes) {
    if (currentRecord) expectedTraffic = bytes;
}

int threadsToCutFor(int threads) {
    return currentRecord ? std::max(threads, LoopRecord::kCores[LoopRecord::kPredictions - 1]) : threads;
}

ScopedBusyThread::ScopedBusyThread() { ThreadPool::instance().beginBusy(); }
ScopedBusyThread::~ScopedBusyThread() { ThreadPool::instance().endBusy(); }

ScopedLoopRecord::ScopedLoopRecord(LoopRecord& record) : before_(currentRecord) { currentRecord = &record; }
ScopedLoopRecord::~ScopedLoopRecord() { currentRecord = before_; }

double threadSeconds() { return os::threadSeconds(); }

int processorCount() {
    static const int count = [] {
        int own = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
#ifdef __linux__
        cpu_set_t mask;
        CPU_ZERO(&mask);
        if (sched_getaffinity(0, sizeof mask, &mask) == 0) own = std::clamp(CPU_COUNT(&mask), 1, own);
#endif
        const int granted = ownAllocation().processors;
        return granted > 0 ? std::min(own, granted) : own;
    }();
    return count;
}

void runLoop(int threads, int phases, int count, const LoopBody& body, LoopCost& cost) {
    if (phases <= 0 || count <= 0) return;
    ThreadPool::instance().run(threads, phases, count, body, cost);
}

}  // namespace purl
