// Watch: stands between a long computation, which runs without Python's lock, and Python: asks for Ctrl-C, tells the
// progress, and carries what Python raised back over the C++ in between.
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

    // Whether to stop. Python is asked every so often only: its lock may be busy.
    bool stopAsked() {
        const auto now = std::chrono::steady_clock::now();
        if (raised_ || now - asked_ < kPause) return raised_;
        asked_ = now;
        const nb::gil_scoped_acquire lock;
        raised_ = PyErr_CheckSignals() != 0;
        return raised_;
    }

    void tell(const Progress& at) {
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

    // Runs `work` without Python's lock; what Python raised meanwhile is raised again here.
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
    static constexpr std::chrono::milliseconds kPause{20};

    nb::object progress_;
    bool raised_ = false;  // Python has an exception waiting
    std::chrono::steady_clock::time_point asked_{};
};

// One call at a time: the other threads, and a progress callback that calls back in, get an error.
class Turn {
  public:
    Turn(std::atomic<bool>& taken, const char* who) : taken_(taken) {
        if (taken_.exchange(true))
            throw Error(std::string(who) + ": is at work in another call; give each thread its own");
    }
    ~Turn() { taken_ = false; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

  private:
    std::atomic<bool>& taken_;
};

}  // namespace purl::python
