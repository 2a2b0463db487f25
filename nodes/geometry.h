// Conversion between Maya's and the solver's meshes, curves and matrices. All lengths are in Maya's centimetres.
#pragma once
#include <maya/MDataHandle.h>
#include <maya/MMatrix.h>
#include <maya/MObject.h>

#include "solver/frame.h"
#include "solver/scene.h"

namespace purl {

// The mesh on a plug, triangulated, in world space; empty if nothing is connected.
TriangleMesh worldMesh(MDataHandle& handle);

// The same with its polygons and the UVs of the current set; no faces if nothing is connected.
void worldFaces(MDataHandle& handle, std::vector<Vec3>& points, Faces& faces);

// Points along the curve on a plug, in world space; empty if nothing is connected. Their number depends on the curve's
// spans only, so a moving curve keeps it.
std::vector<Vec3> worldCurve(MDataHandle& handle);

// Translation and rotation of a matrix; `scale` receives the lengths of its axes.
Pose poseOf(const MMatrix& matrix, Vec3& scale);

// Mesh data for an output plug.
MObject meshData(const Mesh& mesh);

// The Catmull–Rom curve through these points as curve data for an output plug: exactly, as cubic Bézier spans.
MObject curveData(const std::vector<Vec3>& points);

}  // namespace purl
