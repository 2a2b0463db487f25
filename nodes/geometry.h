// Maya's meshes and matrices as the solver sees them, and back. Everything here is in Maya's centimetres.
#pragma once
#include <maya/MDataHandle.h>
#include <maya/MMatrix.h>
#include <maya/MObject.h>

#include "solver/frame.h"
#include "solver/scene.h"

namespace purl {

// The mesh on a plug in world space, in triangles; empty where nothing is connected.
TriangleMesh worldMesh(MDataHandle& handle);

// Where a matrix stands and how it is turned; `scale` gets the lengths of its axes.
Pose poseOf(const MMatrix& matrix, Vec3& scale);

// Mesh data for an output plug.
MObject meshData(const Mesh& mesh);

}  // namespace purl
