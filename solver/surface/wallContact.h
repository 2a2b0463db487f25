// The contact of a liquid's surface with walls. Particles near a wall are mirrored at it, so that the field continues
// behind the wall; the vertices behind the wall are then projected onto it.
#pragma once
#include <vector>

#include "solver/core/device.h"
#include "solver/frame.h"

namespace purl {

// Projects vertices behind a wall onto it, and raises or lowers the free surface next to it to meet the wall at the
// contact angle (degrees). The walls are given by Points::wallOffsets. `reach`, in the frame's unit, is the largest
// distance of a vertex behind a wall. Returns the wall normal of each vertex on a wall and zero for the others; empty
// if there are no walls.
std::vector<Vec3> attachToWalls(const Device& device, const Frame& frame, const std::vector<int>& bodies, double reach,
                                float contactAngle, Mesh& mesh);

}  // namespace purl
