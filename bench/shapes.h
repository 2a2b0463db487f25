// Shapes that several benches have: boxes to fill with water, knits that hang.
#pragma once
#include "solver/scene.h"

namespace purl {

inline TriangleMesh boxMesh(Vec3 low, Vec3 high) {
    TriangleMesh mesh;
    for (int corner = 0; corner < 8; ++corner)
        mesh.vertices.edit().push_back(
            {corner & 1 ? high.x : low.x, corner & 2 ? high.y : low.y, corner & 4 ? high.z : low.z});
    mesh.triangles = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                      2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    return mesh;
}

// n × n vertices, a stitch apart as the knit's parameters say, hung up by its topmost row; its left lower corner is
// `at`.
inline void hang(Knit& knit, int n, Vec3 at) {
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            knit.points.push_back(at +
                                  Vec3{float(i) * knit.params.stitchWidth, float(j) * knit.params.stitchHeight, 0});
            knit.pins.push_back(j == n - 1 ? 1.0f : 0.0f);
            if (i + 1 == n || j + 1 == n) continue;
            const int a = j * n + i;
            knit.faces.counts.edit().push_back(4);
            knit.faces.corners.edit().insert(knit.faces.corners.edit().end(), {a, a + 1, a + 1 + n, a + n});
        }
}

}  // namespace purl
