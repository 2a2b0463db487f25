// Mesh simplification of closed surfaces.
#pragma once
#include "solver/frame.h"

namespace purl {

// Removes the fraction `share` of the triangles by edge collapses in order of quadric error (Garland and Heckbert
// 1997). The mesh stays a closed 2-manifold with the same components; it keeps more triangles if no safe collapse is
// left. Channels are interpolated along the collapsed edges.
void decimateMesh(Mesh& mesh, float share);

}  // namespace purl
