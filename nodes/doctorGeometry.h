// What the doctor measures of meshes: sizes, holes, insides and crossings. Plain and slow; a scene is examined once.
#pragma once
#include <vector>

#include "solver/scene.h"

namespace purl {

Bounds boundsOf(const std::vector<Vec3>& points);
double largestSide(const Bounds& bounds);

TriangleMesh meshOf(const std::vector<Vec3>& points, const Faces& faces);
int openEdges(const TriangleMesh& mesh);    // edges of one face only
double volumeOf(const TriangleMesh& mesh);  // below zero where the faces look inwards
double areaOf(const TriangleMesh& mesh);
// Whether a mesh is its own bounding box, to a hundredth of the volume.
bool isBox(const TriangleMesh& mesh);
// Whether the surface winds around a point; of a closed mesh that is its inside.
bool isInside(const TriangleMesh& mesh, Vec3 point);
// Whether a point is within the surface of a collider, container or not; never of an open mesh.
bool isInside(const Collider& collider, Vec3 point);

// Whether two triangles that share no corner cross each other. Meshes of more than kMostCrossingTriangles count as
// clear.
constexpr size_t kMostCrossingTriangles = 60000;
bool crossesItself(const TriangleMesh& mesh);

// A tube, a bag or a strip: fabric whose parts come to lie on each other wherever it falls.
bool foldsOntoItself(const TriangleMesh& mesh);

}  // namespace purl
