// Simulator: owns a device and a state, and advances it to a time. What nodes, Python, the command line and tests call.
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
    double until = 0;  // s, asked for
    int particles = 0;
};

class Simulator {
  public:
    explicit Simulator(Device device = Device::cpu());
    ~Simulator();
    Simulator(Simulator&&) noexcept;
    Simulator& operator=(Simulator&&) noexcept;

    // Fills the scene's volumes and stands at time 0. Throws Error on a scene that cannot be simulated.
    const Frame& reset(const Scene& scene);

    // Steps from the state's time to `time` (s since the start); `scene` says where things are at `time`, the colliders
    // move there evenly. A time at or before 0 resets; a time already reached gives the frame at hand. Throws Error
    // when a body blows up and Cancelled when asked to stop; either way the state is that of the last whole call.
    const Frame& advanceTo(const Scene& scene, double time);

    // Takes up a saved state; `scene` as it was at the state's time.
    const Frame& restore(State state, const Scene& scene);

    const State& state() const;
    const Frame& frame() const;
    const Device& device() const;

    void onCancel(std::function<bool()> asked);
    void onProgress(std::function<void(const Progress&)> tell);

    const std::vector<PhaseTime>& timings() const;
    void clearTimings();
    // Whether each phase's loops are recorded, claim by claim, and their time on more cores predicted. Costs some
    // percent.
    void recordLoops(bool record);
    // One line each, about settings that were changed or look unwise (a step too long, say); cleared by reset.
    const std::vector<std::string>& warnings() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace purl
