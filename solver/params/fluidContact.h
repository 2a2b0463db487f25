// How fluids meet a cloth or a soft body.
#pragma once
#include "solver/core/describe.h"

namespace purl {

// surface: all of it, nothing passes; points: its points alone, so that fluid leaks through where they are far apart;
// none: fluids do not see it.
enum class FluidContact { surface, points, none };
inline Choices choicesOf(FluidContact) { return {"surface", "points", "none"}; }

}  // namespace purl
