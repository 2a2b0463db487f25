// Interpolation between two poses: position along a line, rotation about one axis at constant speed (slerp).
#pragma once
#include "solver/scene.h"

namespace purl {

// Share 0 gives exactly `a`, share 1 exactly `b`.
Pose poseBetween(const Pose& a, const Pose& b, float share);

}  // namespace purl
