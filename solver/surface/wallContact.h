// Where the surface of a liquid meets walls. Particles near a wall are mirrored in it, so that the field continues
// behind the wall as if it went on there; what lies behind is then moved onto the wall.
#pragma once
#include <vector>

#include "solver/core/device.h"
#include "solver/frame.h"

namespace purl {

// Moves vertices behind a wall onto it, and lifts or lowers the free surface beside it so that the two meet at the
// contact angle, in degrees. The walls are those of Points::wallOffsets; `reach`, in the frame's unit, is how far
// behind a wall a vertex may lie. Returns for each vertex on a wall the wall's normal, for others zero; nothing without
// walls.
std::vector<Vec3> endAtWalls(const Device& device, const Frame& frame, const std::vector<int>& bodies, double reach,
                             float contactAngle, Mesh& mesh);

}  // namespace purl
