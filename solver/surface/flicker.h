// Flicker: how restlessly a liquid's surface moves from one frame to the next, beyond what its velocities say.
#pragma once
#include "solver/frame.h"

namespace purl {

struct Flicker {
    double rms = 0;      // particle spacings; a pool at rest has 0
    double changed = 0;  // share of the surface that has come or gone: farther than a spacing from where it should be
};

// Both surfaces go half the way towards each other, each vertex by its own velocity, so that any steady acceleration
// leaves no trace; what is then between them is flicker. Of each surface's vertices at most 20,000 are looked at,
// evenly spread. Surfaces are told by their names; where either frame has none, or none with velocities, it is 0.
Flicker flickerBetween(const Frame& before, const Frame& after);

}  // namespace purl
