// The volume of a surface's pieces. A grid that shows a pool well cuts the corners of drops a few cells wide, smoothing
// shrinks them, and of films and threads the field tells the thickness only roughly.
#pragma once
#include <vector>

#include "solver/frame.h"

namespace purl {

// Brings the mesh to the volume of its particles: each connected piece of a few particles is scaled about its centre to
// their volume; all larger ones are moved along their normals, by one distance. `nearest`: for each vertex the particle
// nearest to it; `volume`: of each particle, in the cube of the mesh's unit. The mesh must have normals.
void restoreVolume(const std::vector<int>& nearest, const std::vector<float>& volume, Mesh& mesh);

}  // namespace purl
