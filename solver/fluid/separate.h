// Particles that stand on the very same point act as one heavy particle for ever: no force has a direction to part
// them.
#pragma once
#include "solver/fluid/material.h"
#include "solver/particles.h"
#include "solver/search/neighbors.h"

namespace purl {

// Moves particles from id firstNewId on that coincide with an older one aside, by a thousandth of their spacing. Gives
// how many.
int separateCoincident(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                       int64_t firstNewId);

}  // namespace purl
