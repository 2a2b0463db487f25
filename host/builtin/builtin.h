// The Maya node types that scenes need. Each file of this folder declares a group of types and how they compute.
#pragma once

namespace purl::host {

class Graph;

// Registers all of them. Called once per process, by registerBuiltinTypes() of host/graph/builtin.h.
void registerSceneTypes();

// Each registers one group.
void addTransformTypes();  // transform, joint, locator
void addMeshTypes();       // mesh, nurbsCurve, nurbsSurface, transformGeometry, groupParts, groupId, tweak
void addPolyTypes();       // polyPlane, polyCube, polySphere, polyCylinder, polyCone, polyTorus
void addAnimTypes();       // animCurveTL/TA/TU/TT and UL/UA/UU/UT, unitConversion
void addMathTypes();       // multiplyDivide, plusMinusAverage, …, composeMatrix, decomposeMatrix, multMatrix
void addRenderTypes();     // cameras, lights, shaders, sets, render settings, script
void addDeformerTypes();   // geometryFilter, the base of deformers: host/api/deformer.cpp

// Creates the nodes of every new Maya scene: four cameras, lambert1, initialShadingGroup, render settings.
void addDefaultNodes(Graph& graph);

}  // namespace purl::host
