// What cloths that lie on rigid and soft bodies give them back.
#pragma once
#include "solver/workspace.h"

namespace purl {

// Hands the impulses of the cloths' last step to the bodies they touched; they take effect in the next step.
void deliverClothPushes(State& state, Workspace& work);

}  // namespace purl
