// Checks a frame before it is cached.
#pragma once
#include "solver/frame.h"

namespace purl {

// Throws Error naming the body, mesh, knit or collider that has a number which is not finite. The solver's guard has
// checked the state; this also covers what is made from it: surfaces, yarns, display meshes, foam, statistics.
void checkFinite(const Frame& frame, int frameNumber);

}  // namespace purl
