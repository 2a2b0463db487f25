// Relaxes the fluid of the first frame, so that it starts at rest with hydrostatic pressure.
#pragma once
#include "solver/fluid/pressure/fluidStep.h"

namespace purl {

// Brings the fluid of the first frame to rest: moves particles that are too close to a collider or to each other apart,
// closes gaps at colliders, and sets dfsph's pressures to hydrostatic ones. Each of its steps starts with zero
// velocity; the velocities of particles are unchanged. Fluid that cannot come to rest, such as a breaking dam or free
// fall, moves by less than a fifth of its spacing. `maxStep`, s: longest step. Does nothing unless a particle is near a
// boundary.
void settle(const FluidStep& step, Dfsph& dfsph, double maxStep);

}  // namespace purl
