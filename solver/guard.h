// The NaN guard: stops a simulation that has diverged, with values that are not finite or speeds that are far too high,
// before they are shown or saved.
#pragma once
#include "solver/frame.h"
#include "solver/state.h"

namespace purl {

// After each step: throws Error naming the body that diverged. Checks particles, points of cloths and soft bodies,
// rigid bodies.
void throwIfDiverged(const State& state, const Scene& scene);

// After each frame: the same for all other values of the frame and the state.
void throwIfNotFinite(const State& state, const FrameStats& stats);

}  // namespace purl
