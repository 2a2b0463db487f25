// Shapes that several benches fill with water.
#pragma once
#include "solver/scene.h"

namespace purl {

inline TriangleMesh boxMesh(Vec3 low, Vec3 high) {
    TriangleMesh mesh;
    for (int corner = 0; corner < 8; ++corner)
        mesh.vertices.push_back(
            {corner & 1 ? high.x : low.x, corner & 2 ? high.y : low.y, corner & 4 ? high.z : low.z});
    mesh.triangles = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                      2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    return mesh;
}

}  // namespace purl
