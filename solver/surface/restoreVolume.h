// Volume correction of a surface's connected components. A grid that resolves a pool well cuts the corners of drops a
// few cells wide, smoothing shrinks them, and the field gives the thickness of films and threads only roughly.
#pragma once
#include <vector>

#include "solver/frame.h"

namespace purl {

// Corrects the mesh towards the volume of its particles. Each component of a few particles is scaled to their volume
// about its centroid or, if it touches a wall, about its contact area. All larger components together are offset along
// their normals by one distance, if their volume is off by more than a few percent. `nearest`: the nearest particle of
// each vertex. `volume`: of each particle, in the cube of the mesh's unit, 0 for particles of other bodies.
// `wallNormals`: see attachToWalls. The mesh must have normals.
void restoreVolume(const std::vector<int>& nearest, const std::vector<float>& volume,
                   const std::vector<Vec3>& wallNormals, Mesh& mesh);

}  // namespace purl
