// One time step: the order of its phases.
#pragma once
#include "solver/scene.h"
#include "solver/state.h"
#include "solver/workspace.h"

namespace purl {

// Where a step lies between the state's last frame and the scene's moment.
struct StepSpan {
    double dt = 0;          // s, simulated
    double timeAfter = 0;   // s, on the scene's clock
    float shareBefore = 0;  // of the colliders' path to their places in the scene
    float shareAfter = 1;
};

// Takes the state to span.timeAfter. `work` must have been set to `scene`.
void step(State& state, Workspace& work, const Scene& scene, const StepSpan& span);

}  // namespace purl
