// Frames between cached frames: slow motion, other frame rates, sub-frames for motion blur.
#pragma once
#include "solver/frame.h"

namespace purl {

// The frame at `share` of the way from `a` (0) to `b` (1). Particles are matched by id, vertices and yarn points by
// their numbers while the faces and yarns stay the same; they follow the cubic that has the position and velocity of
// both frames (Hermite). A particle that only one frame has moves on straight: one that is gone in `b` until half-way,
// one that is new from when its age says it was let in. A mesh whose faces change is the nearer frame's, moved on by
// its velocities. Other numbers go over evenly, whole numbers are the nearer frame's.
Frame between(const Frame& a, const Frame& b, double share);

}  // namespace purl
