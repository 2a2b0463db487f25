// Cloths and soft bodies as colliders: the surfaces or points by which fluids meet them, and cloths soft bodies. How
// they move is the cloths' and soft bodies' to say, what fluids do to them coupling/reaction.h's.
#pragma once
#include "solver/colliders/stepColliders.h"

namespace purl {

// Adds those of the scene that fluids or cloths meet, where `state` has them, behind the scene's colliders.
void addDeformingColliders(const Scene& scene, const State& state, StepColliders& colliders);

// Moves them to where `state` has their points: all of them, or soft bodies alone.
void updateDeformingColliders(const State& state, StepColliders& colliders);
void updateSoftColliders(const State& state, StepColliders& colliders);

}  // namespace purl
