// What walls do to fluids that see them: they count in wcsph's density and push back, and they rub.
#pragma once
#include "solver/boundary/boundary.h"
#include "solver/fluid/material.h"
#include "solver/particles.h"

namespace purl {

// Adds walls to densities, pressures and volumes already computed from the fluid alone.
void addBoundaryDensity(Particles& particles, const Boundary& walls, const Materials& materials, Buffer<float>& volume);
// Adds the walls' push to accelerations.
void addBoundaryPressure(Particles& particles, const Boundary& walls, const Materials& materials);
// Takes from v, m/s, what the walls' friction takes in dt. Contact rubs only what touches; fluid that sees a wall stays
// half a spacing away, and there it is rubbed in full; unless its viscosity holds on to walls by itself, which knows
// that it is the wall where nothing slips, and not half a spacing off.
void applyBoundaryFriction(Particles& particles, const Boundary& walls, const Materials& materials, float dt,
                           Buffer<Vec3>& v);

}  // namespace purl
