// How long the next steps are: what limits them, and the plan that spreads a frame evenly over them.
#pragma once
#include "solver/fluid/material.h"
#include "solver/scene.h"
#include "solver/state.h"
#include "solver/step.h"

namespace purl {

// m, of the deepest column of fluid: the height of all particles above one place, stacked without gaps. Falling water
// counts only by its own volume, not by the air between.
double depthOf(const Scene& scene, const Particles& particles);

// √(g H) of the fluid's depth H, m/s. dfsph's forces grow with the pressure wherever particles shift against each
// other: in steps longer than this speed allows, a deep tank at rest becomes unstable. The depth, not the pressure
// itself: that oscillates, and steps that oscillate with it are worse than long ones.
double speedOfDepth(const Scene& scene, double depth);

// Particles that are far faster than all others, such as a jet that is squeezed out of a corner.
struct Outliers {
    int count = 0;
    double fastest = 0;  // m/s
};

// What limits the next step.
struct Extremes {
    double speed = 0;         // m/s, that the step is measured by
    double acceleration = 0;  // m/s², of the last step
    Outliers outliers;
};

// `leastSpeed`, m/s: of colliders and of the fluid's depth, which are known for the whole frame.
Extremes extremesOf(const Scene& scene, const State& state, const Materials& materials, double leastSpeed);

// Even steps from the state's time to the frame's end, planned again whenever the particles' speed asks for another
// number.
struct StepPlan {
    double begin = 0;     // s, on the scene's clock
    double duration = 0;  // s, simulated
    double share = 0;     // of the frame that had passed
    int steps = 0, done = 0;

    int left() const { return steps - done; }
    double dt() const { return duration / steps; }
    // The span of the next step of a frame that ends at `time`.
    StepSpan next(double time) const;
    // The plan that goes on from here; `frame`, s simulated, is the whole frame. Throws Error where steps would be
    // shorter than any scene means.
    StepPlan updated(const Scene& scene, const Extremes& extremes, double frame, double now) const;

  private:
    double passed(double part) const { return share + (1 - share) * part / steps; }
};

}  // namespace purl
