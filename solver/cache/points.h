// A frame taken apart into what one file holds, and put together again.
#pragma once
#include "solver/frame.h"

namespace purl {

// The frame with one of its bodies and no meshes; its points belong to body 0.
Frame onlyBody(const Frame& frame, int body);
// The points of one body: the frame's own where it has no other, else gathered into `room`.
const Points& bodyPoints(const Frame& frame, int body, Points& room);
// The frame with one of its meshes and no points.
Frame onlyMesh(const Frame& frame, int mesh);
// The frame with the yarns of one of its knits.
Frame onlyCurves(const Frame& frame, int knit);

// Particles in the order of their ids, as a Frame has them.
void sortById(Points& points);

}  // namespace purl
