// Applies reaction impulses to bodies: impulses of fluids and cloths in one step take effect in the next.
#pragma once
#include <vector>

#include "solver/cloth/contact/colliderContact.h"
#include "solver/colliders/rigid.h"
#include "solver/coupling/reaction.h"
#include "solver/soft/soft.h"

namespace purl {

// From fluids, on rigid and soft bodies; those on cloths are stored by keepReaction().
void deliverFluidImpulses(State& state, const Reaction& reaction, const RigidBodies& rigids, SoftBodies& softBodies,
                          const Materials& materials, float dt);

// From cloths, on the rigid and soft bodies that they touched.
void deliverClothImpulses(State& state, const std::vector<ClothImpulse>& impulses, const RigidBodies& rigids,
                          const StepColliders& colliders, SoftBodies& softBodies);

}  // namespace purl
