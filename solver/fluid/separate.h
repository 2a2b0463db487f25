// Separates coincident particles. They would otherwise act as one heavy particle forever: no force between them has a
// direction.
#pragma once
#include "solver/fluid/material.h"
#include "solver/particles.h"
#include "solver/search/neighbors.h"

namespace purl {

// Displaces particles with ids ≥ firstNewId that coincide with an older one, by a thousandth of their spacing. Returns
// their number.
int separateCoincident(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                       int64_t firstNewId);

}  // namespace purl
