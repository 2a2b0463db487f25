// WriteBehind: a bounded queue of jobs that run on other threads while the simulation continues. Adding to a full queue
// blocks, so that a slow disk slows the simulation down instead of filling the memory.
#pragma once
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace purl {

class WriteBehind {
  public:
    // maxWaiting: jobs that may wait besides those in progress; writers: number of threads.
    explicit WriteBehind(size_t maxWaiting = 2, size_t writers = 2);
    ~WriteBehind();  // finishes the waiting jobs, and discards errors
    WriteBehind(const WriteBehind&) = delete;
    WriteBehind& operator=(const WriteBehind&) = delete;

    // Jobs run one at a time, in order. Rethrows the exception of an earlier job; jobs after a failed one are dropped
    // until it has been rethrown.
    void add(std::function<void()> job) { add({}, std::move(job)); }
    // A job in two halves: `first` may run in parallel with other jobs, before earlier ones have finished; `last` runs
    // in order.
    void add(std::function<void()> first, std::function<void()> last);
    // Waits until all jobs are done; rethrows in the same way.
    void finish();

  private:
    enum class Stage { waiting, running, halfDone };
    struct Job {
        std::function<void()> first, last;
        Stage stage = Stage::waiting;
        std::exception_ptr failure{};  // of its first half; rethrown in order
    };

    void work();
    // The next runnable half: the last half of the oldest job, or the first half of another. Null if there is none.
    std::shared_ptr<Job> next() const;
    void rethrowFailure(std::unique_lock<std::mutex>& lock);

    const size_t maxWaiting_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::shared_ptr<Job>> jobs_;  // unfinished jobs
    size_t busy_ = 0;                        // number of working threads
    bool ending_ = false;
    std::exception_ptr failure_;
    std::vector<std::thread> threads_;  // declared last: the threads start when all other members exist
};

}  // namespace purl
