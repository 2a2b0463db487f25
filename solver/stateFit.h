// Whether a state is one of a scene.
#pragma once
#include "solver/scene.h"
#include "solver/state.h"

namespace purl {

// Throws Error where it is not, or where it can no longer be one. `simulated`: the scene with its knits as cloths. The
// state must have passed checkState.
void checkStateFits(const State& state, const Scene& simulated);

}  // namespace purl
