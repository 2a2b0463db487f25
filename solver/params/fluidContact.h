// How fluids collide with a cloth or a soft body.
#pragma once
#include "solver/core/describe.h"

namespace purl {

// surface: the whole surface, nothing passes. points: its points only, so that fluid leaks through where they are far
// apart. none: fluids ignore it.
enum class FluidContact { surface, points, none };
inline Choices choicesOf(FluidContact) { return {"surface", "points", "none"}; }

}  // namespace purl
