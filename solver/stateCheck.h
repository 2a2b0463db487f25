// Whether a state is one that a simulation can go on from. States come from files, whose hash says that they are whole
// but not that they make sense.
#pragma once
#include "solver/state.h"

namespace purl {

// Throws Error where a state contradicts itself: arrays of different lengths, indices out of range, numbers that are
// not finite.
void checkState(const State& state);

// Whether all of its numbers are finite.
bool isFinite(const State& state);

}  // namespace purl
