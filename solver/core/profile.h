// Measures the time of phases.
#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "solver/core/device.h"
#include "solver/core/phaseTime.h"

namespace purl {

// profile("name", [&] { … }) runs the phase and adds the elapsed time, and what crossed between host and device, to the
// phase's entry. If loops are recorded, it also waits for the device, so that a phase gets the time of its kernels, and
// adds their statistics.
class Profile {
  public:
    Profile(const Device& device, std::vector<PhaseTime>& phases, bool recordLoops = false)
        : device_(device), phases_(phases), recordLoops_(recordLoops) {}

    template <class Phase>
    void operator()(const char* name, Phase&& run) const {
        LoopRecord loops;
        const Times before = sum();
        const DeviceCounts countsBefore = device_.counts();
        const EnteredPhase entered(device_, name);
        const auto start = std::chrono::steady_clock::now();
        const double busyBefore = recordLoops_ ? threadSeconds() : 0;
        if (recordLoops_) {
            const ScopedLoopRecord recording(loops);
            run();
        } else {
            run();
        }
        DeviceCounts counts = device_.counts();
        counts -= countsBefore;
        if (recordLoops_) device_.synchronize();  // not counted
        PhaseTime& entry = entryOf(name);
        const Times after = sum();  // includes nested phases, which have their own entries
        entry.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() -
                         (after.seconds - before.seconds);
        if (recordLoops_) entry.callerBusy += threadSeconds() - busyBefore - (after.callerBusy - before.callerBusy);
        ++entry.calls;
        entry.device += counts;
        entry.device -= after.device;
        entry.device += before.device;
        entry.loops.add(loops);
    }

  private:
    struct Times {
        double seconds = 0, callerBusy = 0;
        DeviceCounts device;
    };
    struct EnteredPhase {
        EnteredPhase(const Device& where, const char* name) : device(where), outer(device.enterPhase(name)) {}
        ~EnteredPhase() { device.enterPhase(outer); }
        EnteredPhase(const EnteredPhase&) = delete;
        EnteredPhase& operator=(const EnteredPhase&) = delete;
        const Device& device;
        const char* outer;
    };
    Times sum() const {
        Times all;
        for (const PhaseTime& entry : phases_) {
            all.seconds += entry.seconds;
            all.callerBusy += entry.callerBusy;
            all.device += entry.device;
        }
        return all;
    }
    PhaseTime& entryOf(const char* name) const {
        for (PhaseTime& entry : phases_)
            if (entry.phase == name) return entry;
        phases_.emplace_back();
        phases_.back().phase = name;
        return phases_.back();
    }

    const Device& device_;
    std::vector<PhaseTime>& phases_;
    bool recordLoops_;
};

}  // namespace purl
