// Geometric queries of the doctor: sizes, open edges, containment, self-intersection. Simple rather than fast: a scene
// is examined once.
#pragma once
#include <vector>

#include "solver/scene.h"

namespace purl {

Bounds boundsOf(const std::vector<Vec3>& points);
double largestSide(const Bounds& bounds);

TriangleMesh meshOf(const std::vector<Vec3>& points, const Faces& faces);
int openEdges(const TriangleMesh& mesh);    // number of edges with one face
double volumeOf(const TriangleMesh& mesh);  // negative if the faces point inwards
double areaOf(const TriangleMesh& mesh);
// Whether a mesh fills its bounding box, to within 1 % of the volume.
bool isBox(const TriangleMesh& mesh);
// Whether the winding number of the point is not zero, which is the inside of a closed mesh.
bool isInside(const TriangleMesh& mesh, Vec3 point);
// Whether a point is inside the surface of a collider, container or not. An open mesh has no inside.
bool isInside(const Collider& collider, Vec3 point);

// Whether two triangles without a common vertex intersect. Returns false for meshes with more than
// kMaxIntersectionTriangles, which would take too long.
constexpr size_t kMaxIntersectionTriangles = 60000;
bool crossesItself(const TriangleMesh& mesh);

// Whether the mesh is a tube, a bag or a narrow strip, which touches itself however it falls.
bool foldsOntoItself(const TriangleMesh& mesh);

}  // namespace purl
