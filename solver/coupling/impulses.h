// Hands reaction impulses to bodies: what fluids and cloths did to them in a step takes effect in the next.
#pragma once
#include <vector>

#include "solver/cloth/contact/colliderContact.h"
#include "solver/colliders/rigid.h"
#include "solver/coupling/reaction.h"
#include "solver/soft/soft.h"

namespace purl {

// Of fluids, to rigid and soft bodies; those on cloths are kept by keepReaction().
void deliverFluidImpulses(State& state, const Reaction& reaction, const RigidBodies& rigids, SoftBodies& softBodies,
                          const Materials& materials, float dt);

// Of cloths, to the rigid and soft bodies they touched.
void deliverClothImpulses(State& state, const std::vector<ClothImpulse>& impulses, const RigidBodies& rigids,
                          const StepColliders& colliders, SoftBodies& softBodies);

}  // namespace purl
