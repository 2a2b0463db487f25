// Cloths and soft bodies as colliders: their surfaces or points collide with fluids, and soft bodies also with cloths.
// cloth/ and soft/ move them; coupling/reaction.h computes the reaction of fluids on them.
#pragma once
#include "solver/colliders/stepColliders.h"

namespace purl {

// Adds the cloths and soft bodies that collide with fluids or cloths, at their positions in `state`, after the scene's
// colliders.
void addDeformingColliders(const Scene& scene, const State& state, StepColliders& colliders);

// Moves them to the positions of their points in `state`: all, or only soft bodies.
void updateDeformingColliders(const State& state, StepColliders& colliders);
void updateSoftColliders(const State& state, StepColliders& colliders);

}  // namespace purl
