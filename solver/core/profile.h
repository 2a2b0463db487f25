// Measures the time of phases.
#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "solver/core/device.h"
#include "solver/core/phaseTime.h"

namespace purl {

// profile("name", [&] { … }) runs the phase, waits for the device, and adds the elapsed time to the phase's entry. If
// loops are recorded, their statistics are added too.
class Profile {
  public:
    Profile(const Device& device, std::vector<PhaseTime>& phases, bool recordLoops = false)
        : device_(device), phases_(phases), recordLoops_(recordLoops) {}

    template <class Phase>
    void operator()(const char* name, Phase&& run) const {
        LoopRecord loops;
        const Times before = sum();
        const auto start = std::chrono::steady_clock::now();
        const double busyBefore = recordLoops_ ? threadSeconds() : 0;
        if (recordLoops_) {
            const ScopedLoopRecord recording(loops);
            run();
        } else {
            run();
        }
        device_.synchronize();
        PhaseTime& entry = entryOf(name);
        const Times after = sum();  // includes nested phases, which have their own entries
        entry.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() -
                         (after.seconds - before.seconds);
        if (recordLoops_) entry.callerBusy += threadSeconds() - busyBefore - (after.callerBusy - before.callerBusy);
        ++entry.calls;
        entry.loops.add(loops);
    }

  private:
    struct Times {
        double seconds = 0, callerBusy = 0;
    };
    Times sum() const {
        Times all;
        for (const PhaseTime& entry : phases_) {
            all.seconds += entry.seconds;
            all.callerBusy += entry.callerBusy;
        }
        return all;
    }
    PhaseTime& entryOf(const char* name) const {
        for (PhaseTime& entry : phases_)
            if (entry.phase == name) return entry;
        phases_.push_back({name, 0, 0, {}, 0});
        return phases_.back();
    }

    const Device& device_;
    std::vector<PhaseTime>& phases_;
    bool recordLoops_;
};

}  // namespace purl
