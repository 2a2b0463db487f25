// Maya's meshes, curves and matrices as the solver sees them, and back. Everything here is in Maya's centimetres.
#pragma once
#include <maya/MDataHandle.h>
#include <maya/MMatrix.h>
#include <maya/MObject.h>

#include "solver/frame.h"
#include "solver/scene.h"

namespace purl {

// The mesh on a plug in world space, in triangles; empty where nothing is connected.
TriangleMesh worldMesh(MDataHandle& handle);

// The same with its own faces, points and texture coordinates of the current set; no faces where nothing is connected.
void worldFaces(MDataHandle& handle, std::vector<Vec3>& points, Faces& faces);

// Points along the curve on a plug, in world space; empty where nothing is connected. As many as the curve's spans ask
// for, so that a curve that only moves keeps their number.
std::vector<Vec3> worldCurve(MDataHandle& handle);

// Where a matrix stands and how it is turned; `scale` gets the lengths of its axes.
Pose poseOf(const MMatrix& matrix, Vec3& scale);

// Mesh data for an output plug.
MObject meshData(const Mesh& mesh);

// The Catmull–Rom curve through these points, for an output plug: cubic, each span a Bézier piece, so that it is the
// same curve to the last digit.
MObject curveData(const std::vector<Vec3>& points);

}  // namespace purl
