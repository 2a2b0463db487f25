// Watch: connects a long computation, which runs without the GIL, to Python. It checks for Ctrl-C, calls the progress
// callback, and carries a Python exception through the C++ code in between.
#pragma once
#include <atomic>
#include <chrono>
#include <functional>

#include "python/casters.h"
#include "solver/core/error.h"
#include "solver/simulator.h"

namespace purl::python {

namespace nb = nanobind;

class Watch {
  public:
    // `progress` may be None.
    explicit Watch(nb::object progress) : progress_(std::move(progress)) {}
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    // Whether to cancel. Checks Python only every 20 ms, because the GIL may be contended.
    bool cancelRequested() {
        const auto now = std::chrono::steady_clock::now();
        if (raised_ || now - lastPoll_ < kPollInterval) return raised_;
        lastPoll_ = now;
        const nb::gil_scoped_acquire lock;
        raised_ = PyErr_CheckSignals() != 0;
        return raised_;
    }

    void report(const Progress& at) {
        if (progress_.is_none() || raised_) return;
        const nb::gil_scoped_acquire lock;
        try {
            progress_(at.time, at.until, at.particles);
        } catch (nb::python_error& error) {
            error.restore();
            raised_ = true;
        }
        if (raised_) throw Cancelled();
    }

    // Runs `work` without the GIL, and rethrows an exception that Python raised meanwhile.
    template <class Work>
    auto run(Work&& work) {
        try {
            const nb::gil_scoped_release unlocked;
            return work();
        } catch (const Error&) {
            if (raised_) nb::raise_python_error();
            throw;
        }
    }

  private:
    static constexpr std::chrono::milliseconds kPollInterval{20};

    nb::object progress_;
    bool raised_ = false;  // a Python exception is pending
    std::chrono::steady_clock::time_point lastPoll_{};
};

// Guard against concurrent and reentrant calls: other threads, and a progress callback that calls back, get an error.
class ExclusiveCall {
  public:
    ExclusiveCall(std::atomic<bool>& busy, const char* who) : busy_(busy) {
        if (busy_.exchange(true)) throw Error(std::string(who) + ": is busy in another call; use one per thread");
    }
    ~ExclusiveCall() { busy_ = false; }
    ExclusiveCall(const ExclusiveCall&) = delete;
    ExclusiveCall& operator=(const ExclusiveCall&) = delete;

  private:
    std::atomic<bool>& busy_;
};

}  // namespace purl::python
