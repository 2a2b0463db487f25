// Flicker: temporal noise of a liquid's surface, the motion from frame to frame that its velocities do not explain.
#pragma once
#include "solver/frame.h"

namespace purl {

struct Flicker {
    double rms = 0;  // in particle spacings; 0 for a pool at rest
    // Fraction of the surface that appeared or vanished: more than a spacing from where it should be.
    double changed = 0;
};

// Both surfaces are advected to the middle of the interval by their vertex velocities, so that a constant acceleration
// leaves no residual; the remaining distance is flicker. At most 20,000 evenly spaced vertices per surface are sampled.
// Surfaces are matched by name; without a match, or without velocities, the result is 0.
Flicker measureFlicker(const Frame& before, const Frame& after);

}  // namespace purl
