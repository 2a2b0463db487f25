// Simulator: owns a device and a state, and advances the state to a time. Nodes, Python, the command line and tests use
// it.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "solver/core/device.h"
#include "solver/core/phaseTime.h"
#include "solver/frame.h"
#include "solver/scene.h"
#include "solver/state.h"

namespace purl {

struct Progress {
    double time = 0;   // s, reached so far
    double until = 0;  // s, requested
    int particles = 0;
};

class Simulator {
  public:
    explicit Simulator(Device device = Device::cpu());
    ~Simulator();
    Simulator(Simulator&&) noexcept;
    Simulator& operator=(Simulator&&) noexcept;

    // Fills the scene's volumes; the time is 0. Throws Error if the scene cannot be simulated.
    const Frame& reset(const Scene& scene);

    // Steps from the state's time to `time` (s since the start). `scene` is the scene at `time`; colliders move there
    // at constant velocity. A time at or before 0 resets; a time already reached returns the current frame. Throws
    // Error if the simulation diverges, and Cancelled on request; the state is then that of the last successful call.
    const Frame& advanceTo(const Scene& scene, double time);

    // Continues from a saved state; `scene` is the scene at the state's time.
    const Frame& restore(State state, const Scene& scene);

    const State& state() const;
    const Frame& frame() const;
    const Device& device() const;

    void onCancel(std::function<bool()> requested);
    void onProgress(std::function<void(const Progress&)> report);

    const std::vector<PhaseTime>& timings() const;
    void clearTimings();
    // Records the loops of each phase, claim by claim, to predict their time on more cores. Costs a few percent.
    void recordLoops(bool record);
    // One line each, about settings that were adjusted or are unwise, such as a step that is too long; cleared by
    // reset.
    const std::vector<std::string>& warnings() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace purl
