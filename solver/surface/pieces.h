// The volume of a surface's pieces. A grid that shows a pool well cuts the corners of drops a few cells wide, smoothing
// shrinks them, and of films and threads the field tells the thickness only roughly.
#pragma once
#include <vector>

#include "solver/frame.h"

namespace purl {

// Brings the mesh nearer to the volume of its particles: each connected piece of a few particles is scaled to their
// volume, about its centre or, where it lies on a wall, about its foot; all larger ones together are moved along their
// normals, by one distance, as far as they are off by more than a few percent. `nearest`: for each vertex the particle
// nearest to it; `volume`: of each particle, in the cube of the mesh's unit, 0 of those it is not made of;
// `wallNormals`: see endAtWalls. The mesh must have normals.
void restoreVolume(const std::vector<int>& nearest, const std::vector<float>& volume,
                   const std::vector<Vec3>& wallNormals, Mesh& mesh);

}  // namespace purl
