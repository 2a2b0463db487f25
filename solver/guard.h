// The NaN guard: stops a run that has diverged, with numbers that are not finite or far too fast, before any of it is
// shown or saved.
#pragma once
#include "solver/frame.h"
#include "solver/state.h"

namespace purl {

// Throws Error that names the body, after a step: particles, points of cloths and soft bodies, rigid bodies.
void throwIfDiverged(const State& state, const Scene& scene);

// The same for all else that a frame shows or a saved state holds, once a frame.
void throwIfNotFinite(const State& state, const FrameStats& stats);

}  // namespace purl
