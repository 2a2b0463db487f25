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
// Takes from v, m/s, what friction takes in dt. Contact friction needs contact; fluid with the boundary in its density
// stays half a spacing away, and there friction acts in full. Not on fluids that have the boundary in their viscosity,
// which puts the no-slip condition on the surface itself and not half a spacing off.
void applyBoundaryFriction(Particles& particles, const Boundary& boundary, const Materials& materials, float dt,
                           Buffer<Vec3>& v);

}  // namespace purl
