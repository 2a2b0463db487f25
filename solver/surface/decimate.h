// Fewer triangles where a closed mesh is flat.
#pragma once
#include "solver/frame.h"

namespace purl {

// Takes away `share` of the triangles, those first whose going moves the surface least (quadric errors, Garland and
// Heckbert 1997). It stays a closed 2-manifold of the same components; where no edge can go without harm it stops
// short. Channels are mixed along the edges that go.
void decimateMesh(Mesh& mesh, float share);

}  // namespace purl
