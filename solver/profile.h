// Times the phases of a step.
#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "solver/core/device.h"
#include "solver/simulator.h"

namespace purl {

// profile("name", [&] { … }) runs the phase to its end, the device's work included, and adds its time to the phase's
// entry.
class Profile {
  public:
    Profile(const Device& device, std::vector<PhaseTime>& phases) : device_(device), phases_(phases) {}

    template <class Phase>
    void operator()(const char* name, Phase&& run) const {
        const auto start = std::chrono::steady_clock::now();
        run();
        device_.synchronize();
        PhaseTime& entry = entryOf(name);
        entry.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        ++entry.calls;
    }

  private:
    PhaseTime& entryOf(const char* name) const {
        for (PhaseTime& entry : phases_)
            if (entry.phase == name) return entry;
        phases_.push_back({name, 0, 0});
        return phases_.back();
    }

    const Device& device_;
    std::vector<PhaseTime>& phases_;
};

}  // namespace purl
