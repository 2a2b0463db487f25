// Frames between cached frames: slow motion, other frame rates, sub-frames for motion blur.
#pragma once
#include "solver/frame.h"

namespace purl {

// Interpolates between `a` (share 0) and `b` (share 1). Particles are matched by id; vertices and yarn points by index,
// while faces and yarns stay the same. Positions follow the cubic Hermite curve of both frames' positions and
// velocities. A particle that only one frame has moves in a straight line: one that is missing in `b` until half-way, a
// new one from the time of its birth, given by its age. If the faces of a mesh change, the nearer frame's mesh is moved
// by its velocities. Other numbers are interpolated linearly; integers are those of the nearer frame.
Frame between(const Frame& a, const Frame& b, double share);

}  // namespace purl
