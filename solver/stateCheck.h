// Whether a simulation can resume from a state. States come from files: their hash shows that they are complete, not
// that they are valid.
#pragma once
#include "solver/state.h"

namespace purl {

// Throws Error if a state is inconsistent: arrays of different lengths, indices out of range, values that are not
// finite.
void checkState(const State& state);

// Whether all of its values are finite.
bool isFinite(const State& state);

}  // namespace purl
