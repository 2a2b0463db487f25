#include "solver/cache/writeBehind.h"

#include <system_error>
#include <utility>

#include "solver/core/error.h"
#include "solver/core/threadPool.h"

namespace purl {

WriteBehind::WriteBehind(size_t maxWaiting, size_t writers) : maxWaiting_(maxWaiting) {
    threads_.reserve(writers);
    while (threads_.size() < writers) {
        try {
            threads_.emplace_back([this] { work(); });
        } catch (const std::system_error& error) {
            // The system has no more threads: continue with those that could be started.
            if (!threads_.empty()) return;
            throw Error("cannot start a thread that writes files: " + error.code().message() +
                        "; end other programs or raise ulimit -u");
        }
    }
}

WriteBehind::~WriteBehind() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

std::shared_ptr<WriteBehind::Job> WriteBehind::next() const {
    if (!jobs_.empty() && jobs_.front()->stage == Stage::halfDone) return jobs_.front();
    for (const std::shared_ptr<Job>& job : jobs_)
        if (job->stage == Stage::waiting) return job;
    return nullptr;
}

void WriteBehind::work() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
        std::shared_ptr<Job> job;
        changed_.wait(lock, [&] { return (job = next()) || (ending_ && jobs_.empty()); });
        if (!job) return;
        const bool isLast = job->stage == Stage::halfDone;
        job->stage = Stage::running;
        ++busy_;
        std::exception_ptr failure = job->failure;
        lock.unlock();
        try {
            const ScopedBusyThread busy;
            if (!failure) (isLast ? job->last : job->first)();
        } catch (...) { failure = std::current_exception(); }
        lock.lock();
        --busy_;
        if (!isLast) {
            job->failure = failure;
            job->stage = Stage::halfDone;
        } else if (failure) {
            failure_ = failure;
            jobs_.clear();  // results of first halves in progress are discarded
        } else {
            jobs_.pop_front();
        }
        changed_.notify_all();
        // Destroy the job outside the lock.
        lock.unlock();
        job.reset();
        lock.lock();
    }
}

void WriteBehind::rethrowFailure(std::unique_lock<std::mutex>& lock) {
    if (!failure_) return;
    const std::exception_ptr failure = std::exchange(failure_, nullptr);
    lock.unlock();
    std::rethrow_exception(failure);
}

void WriteBehind::add(std::function<void()> first, std::function<void()> last) {
    const auto job = std::make_shared<Job>();
    job->stage = first ? Stage::waiting : Stage::halfDone;
    job->first = std::move(first);
    job->last = std::move(last);
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return failure_ ? busy_ == 0 : jobs_.size() < maxWaiting_ + busy_; });
    rethrowFailure(lock);
    jobs_.push_back(job);
    changed_.notify_all();
}

void WriteBehind::finish() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return busy_ == 0 && (failure_ || jobs_.empty()); });
    rethrowFailure(lock);
}

}  // namespace purl
