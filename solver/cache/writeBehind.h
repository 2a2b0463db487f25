// WriteBehind: jobs that other threads do while the simulation goes on. At most a few wait; whoever brings one more
// waits too, so that a slow disk slows the simulation down instead of filling the memory.
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
    // Jobs in halves are worked on by so many threads.
    explicit WriteBehind(size_t mostWaiting = 2, size_t writers = 2);
    ~WriteBehind();  // does what waits, and forgets what went wrong
    WriteBehind(const WriteBehind&) = delete;
    WriteBehind& operator=(const WriteBehind&) = delete;

    // Jobs are done one at a time, in their order. Throws what an earlier job threw; jobs behind one that failed are
    // not done, until that was told.
    void add(std::function<void()> job) { add({}, std::move(job)); }
    // A job in two halves: `first` may be done beside other jobs, before those that came earlier are through; `last`
    // has its turn in their order.
    void add(std::function<void()> first, std::function<void()> last);
    // Waits until all is done; throws likewise.
    void finish();

  private:
    enum class Stage { waiting, underWay, halfDone };
    struct Job {
        std::function<void()> first, last;
        Stage stage = Stage::waiting;
        std::exception_ptr failure{};  // of its first half: told when its turn has come
    };

    void work();
    // What can be done now: the last half of the oldest job, or the first half of another. Null: nothing.
    std::shared_ptr<Job> next() const;
    void tell(std::unique_lock<std::mutex>& lock);

    const size_t most_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::shared_ptr<Job>> jobs_;  // that are not through
    size_t busy_ = 0;                        // threads at work
    bool ending_ = false;
    std::exception_ptr failure_;
    std::vector<std::thread> threads_;  // last: they begin when all else is there
};

}  // namespace purl
