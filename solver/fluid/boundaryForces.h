// Attraction of wcsph fluids to colliders that are part of their density.
#pragma once
#include "solver/boundary/boundary.h"
#include "solver/fluid/material.h"
#include "solver/particles.h"

namespace purl {

// Adds an attraction of `strength` times the boundary's pressure force:   a = k Σ m (p/ρ² + p/ρ₀²) ∇W   Bayraktar 5.4
void addBoundaryAdhesion(Particles& particles, const Boundary& boundary, const Materials& materials, float strength);

}  // namespace purl
