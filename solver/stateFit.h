// Whether a state belongs to a scene.
#pragma once
#include "solver/scene.h"
#include "solver/state.h"

namespace purl {

// Throws Error if it does not, or if the scene has changed so that it cannot continue from the state. `woven`: the
// scene with its knits as cloths. The state must have passed checkState.
void checkStateFits(const State& state, const Scene& woven);

}  // namespace purl
