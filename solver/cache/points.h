// Splits a frame into the parts that single files hold, and merges them.
#pragma once
#include "solver/frame.h"

namespace purl {

// The frame with one of its bodies and no meshes; its points belong to body 0.
Frame onlyBody(const Frame& frame, int body);
// The points of one body: a reference to the frame's points if it has no other body, otherwise copied into `copy`.
const Points& bodyPoints(const Frame& frame, int body, Points& copy);
// The frame with one of its meshes and no points.
Frame onlyMesh(const Frame& frame, int mesh);
// The frame with the yarns of one of its knits.
Frame onlyCurves(const Frame& frame, int knit);

// Sorts particles by id, as in a Frame.
void sortById(Points& points);

}  // namespace purl
