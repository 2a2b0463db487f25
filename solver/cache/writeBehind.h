// WriteBehind: jobs that another thread does in order while the simulation goes on. At most a few wait; whoever brings
// one more waits too, so that a slow disk slows the simulation down instead of filling the memory.
#pragma once
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace purl {

class WriteBehind {
  public:
    explicit WriteBehind(size_t mostWaiting = 2);
    ~WriteBehind();  // does what waits, and forgets what went wrong
    WriteBehind(const WriteBehind&) = delete;
    WriteBehind& operator=(const WriteBehind&) = delete;

    // Throws what an earlier job threw; jobs behind one that failed are not done, until that was told.
    void add(std::function<void()> job);
    // Waits until all is done; throws likewise.
    void finish();

  private:
    void work();
    void tell(std::unique_lock<std::mutex>& lock);

    const size_t most_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> jobs_;
    bool busy_ = false, ending_ = false;
    std::exception_ptr failure_;
    std::thread thread_;  // last: it begins when all else is there
};

}  // namespace purl
