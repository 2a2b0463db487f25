// Adaptive step length: what limits it, and the plan that divides a frame evenly into steps.
#pragma once
#include "solver/fluid/material.h"
#include "solver/scene.h"
#include "solver/state.h"
#include "solver/step.h"

namespace purl {

// Depth of the deepest column of fluid, m: the height of all particles above one point, stacked without gaps. Falling
// water counts with its volume, without the air in between.
double depthOf(const Scene& scene, const Particles& particles);

// √(g H) for the fluid's depth H, m/s. dfsph's forces grow with the pressure wherever particles move relative to each
// other: in steps longer than this speed allows, a deep tank at rest becomes unstable. The depth is used instead of the
// pressure itself because that oscillates, and step lengths that oscillate with it are worse than long ones.
double shallowWaterSpeed(const Scene& scene, double depth);

// Particles that are far faster than all others, such as a jet that is squeezed out of a corner.
struct Outliers {
    int count = 0;
    double fastest = 0;  // m/s
};

// What limits the next step.
struct Extremes {
    double speed = 0;         // m/s, for the CFL condition
    double acceleration = 0;  // m/s², of the last step
    Outliers outliers;
};

// `leastSpeed`, m/s: lower bound from colliders and the fluid's depth, which are known for the whole frame.
Extremes extremesOf(const Scene& scene, const State& state, const Materials& materials, double leastSpeed);

// Equal steps from the state's time to the end of the frame; planned again whenever the speed of particles requires
// another number.
struct StepPlan {
    double begin = 0;     // s, on the scene's clock
    double duration = 0;  // s, simulated
    double share = 0;     // fraction of the frame before `begin`
    int steps = 0, done = 0;

    int left() const { return steps - done; }
    double dt() const { return duration / steps; }
    // The next step of a frame that ends at `time`.
    StepSpan next(double time) const;
    // The plan for the rest of the frame. `frame`, s: its simulated duration. Throws Error if the steps would be
    // unreasonably short.
    StepPlan updated(const Scene& scene, const Extremes& extremes, double frame, double now) const;

  private:
    double passed(double part) const { return share + (1 - share) * part / steps; }
};

}  // namespace purl
