// How a rigid body moves between two poses: its place in a straight line, its axes at an even turn about one axis.
#pragma once
#include "solver/scene.h"

namespace purl {

// Share 0 gives `a` and share 1 gives `b`, to the bit.
Pose poseBetween(const Pose& a, const Pose& b, float share);

}  // namespace purl
