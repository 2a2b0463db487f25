// Whether a simulation can resume from a state. States come from files: their hash shows that they are complete, not
// that they make sense.
#pragma once
#include "solver/state.h"

namespace purl {

// Throws Error where a state contradicts itself: arrays of different lengths, indices out of range, numbers that are
// not finite.
void checkState(const State& state);

// Whether all of its numbers are finite.
bool isFinite(const State& state);

}  // namespace purl
