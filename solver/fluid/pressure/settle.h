// Fluid at rest on the first frame: particles a little away from where a fill put them, and the pressures of their
// depth.
#pragma once
#include "solver/fluid/pressure/fluidStep.h"

namespace purl {

// Brings the fluid of the first frame to rest: particles too close to a collider or to another particle are pushed off,
// gaps towards colliders are closed, and dfsph's pressures become those of the fluid's depth. The steps start from
// velocity zero each, and leave the particles' own velocities alone. Fluid that would not come to rest, as a dam that
// breaks, or falls freely, moves by less than a fifth of its spacing. No step is longer than maxStep, s. Only where a
// particle is near a boundary.
void settle(const FluidStep& step, Dfsph& dfsph, double maxStep);

}  // namespace purl
