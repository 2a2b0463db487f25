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
    float shareBefore = 0;  // of the colliders' way to their places in the scene
    float shareAfter = 1;
};

Method methodOf(const SolverParams& params);

// Takes the state to span.timeAfter. `work` must have been set to `scene`.
void step(State& state, Workspace& work, const Scene& scene, const StepSpan& span);

// Brings the fluid of the first frame to rest: what stands too near to a wall or to another particle is pushed off,
// gaps towards walls are closed, and dfsph's pressures become those of the fluid's depth. The steps forget velocities,
// and leave those of the particles alone. Fluid that would not come to rest, as a dam that breaks, or falls freely,
// moves by less than a fifth of its spacing. No step is longer than longestStep, s. Only with dfsph, and only where a
// particle sees a wall.
void settle(State& state, Workspace& work, const Scene& scene, double longestStep);

// With the colliders placed: sorts the particles and measures densities, pressures, normals and accelerations where
// they stand: what a first frame shows.
void measure(State& state, Workspace& work, const Scene& scene);

}  // namespace purl
