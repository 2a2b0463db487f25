// Boundary samples in the density and pressure of wcsph, and boundary friction.
#pragma once
#include "solver/boundary/boundary.h"
#include "solver/fluid/material.h"
#include "solver/particles.h"

namespace purl {

// Adds boundary samples to densities, pressures and volumes already computed from the fluid alone.
void addBoundaryDensity(Particles& particles, const Boundary& boundary, const Materials& materials,
                        Buffer<float>& volume);
// Adds boundary pressure to accelerations.
void addBoundaryPressure(Particles& particles, const Boundary& boundary, const Materials& materials);
// Applies boundary friction over dt to the velocities v, m/s. Contact friction would need contact, but fluid that has
// the boundary in its density rests half a spacing away, so friction acts at full strength at that distance. Skips
// fluids with boundary viscosity, which imposes the no-slip condition at the surface itself.
void applyBoundaryFriction(Particles& particles, const Boundary& boundary, const Materials& materials, float dt,
                           Buffer<Vec3>& v);

}  // namespace purl
