// Faces: the polygons of a mesh and their texture coordinates, without vertex positions.
#pragma once
#include <cstddef>
#include <vector>

#include "solver/core/channel.h"

namespace purl {

struct Faces {
    Channel<int> counts;     // corners per face
    Channel<int> corners;    // vertex indices, face by face, counter-clockwise seen from the front
    Channel<float> u, v;     // texture coordinates
    Channel<int> cornerUvs;  // index into u and v per corner; empty: no texture coordinates

    bool empty() const { return counts.empty(); }
    bool operator==(const Faces& other) const {
        return counts == other.counts && corners == other.corners && u == other.u && v == other.v &&
               cornerUvs == other.cornerUvs;
    }
    bool operator!=(const Faces& other) const { return !(*this == other); }
};

// visit(corners, count) for each face, in order.
template <class Visit>
void forEachFace(const Faces& faces, Visit&& visit) {
    const int* corner = faces.corners.data();
    for (const int count : faces.counts) {
        visit(corner, count);
        corner += count;
    }
}

// Fan triangulation from the first corner of each polygon; three vertex indices per triangle.
inline std::vector<int> triangulate(const Faces& faces) {
    std::vector<int> triangles;
    triangles.reserve(6 * faces.counts.size());
    forEachFace(faces, [&](const int* corners, int count) {
        for (int k = 2; k < count; ++k) triangles.insert(triangles.end(), {corners[0], corners[k - 1], corners[k]});
    });
    return triangles;
}

}  // namespace purl
