// One time step: the order of its phases.
#pragma once
#include "solver/scene.h"
#include "solver/state.h"
#include "solver/workspace.h"

namespace purl {

// Position of a step in the interval from the state's last frame to the time of the scene.
struct StepSpan {
    double dt = 0;          // s, simulated
    double timeAfter = 0;   // s, on the scene's clock
    float shareBefore = 0;  // fraction of the colliders' path to their positions in the scene
    float shareAfter = 1;
};

// Advances the state to span.timeAfter. `work` must have been set to `scene`.
void step(State& state, Workspace& work, const Scene& scene, const StepSpan& span);

}  // namespace purl
