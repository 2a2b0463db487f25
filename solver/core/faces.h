// Faces: the polygons of a mesh and their texture coordinates, as they came in and as they leave; not where its
// points are.
#pragma once
#include <cstddef>
#include <vector>

namespace purl {

struct Faces {
    std::vector<int> counts;     // corners of each face
    std::vector<int> corners;    // their vertices, face by face, counter-clockwise seen from the front
    std::vector<float> u, v;     // texture coordinates
    std::vector<int> cornerUvs;  // which of those each corner has; empty: none

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
    const int* at = faces.corners.data();
    for (const int count : faces.counts) {
        visit(at, count);
        at += count;
    }
}

// Three vertices each: polygons cut into fans from their first corner.
inline std::vector<int> trianglesOf(const Faces& faces) {
    std::vector<int> triangles;
    triangles.reserve(6 * faces.counts.size());
    forEachFace(faces, [&](const int* corners, int count) {
        for (int k = 2; k < count; ++k) triangles.insert(triangles.end(), {corners[0], corners[k - 1], corners[k]});
    });
    return triangles;
}

}  // namespace purl
