#include "solver/cache/writeBehind.h"

#include <utility>

#include "solver/core/threadPool.h"

namespace purl {

WriteBehind::WriteBehind(size_t mostWaiting) : most_(mostWaiting), thread_([this] { work(); }) {}

WriteBehind::~WriteBehind() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void WriteBehind::work() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return ending_ || !jobs_.empty(); });
        if (jobs_.empty()) return;
        const std::function<void()> job = std::move(jobs_.front());
        jobs_.pop_front();
        busy_ = true;
        lock.unlock();
        std::exception_ptr failure;
        try {
            const ScopedBusyThread busy;
            job();
        } catch (...) { failure = std::current_exception(); }
        lock.lock();
        busy_ = false;
        if (failure) {
            failure_ = failure;
            jobs_.clear();
        }
        changed_.notify_all();
    }
}

void WriteBehind::tell(std::unique_lock<std::mutex>& lock) {
    if (!failure_) return;
    const std::exception_ptr failure = std::exchange(failure_, nullptr);
    lock.unlock();
    std::rethrow_exception(failure);
}

void WriteBehind::add(std::function<void()> job) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return failure_ || jobs_.size() < most_; });
    tell(lock);
    jobs_.push_back(std::move(job));
    changed_.notify_all();
}

void WriteBehind::finish() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return failure_ || (jobs_.empty() && !busy_); });
    tell(lock);
}

}  // namespace purl
