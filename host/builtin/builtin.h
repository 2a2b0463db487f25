// Maya's own node types, as far as scenes need them: each file of this folder declares a family and how it computes.
#pragma once

namespace purl::host {

class Graph;

// All of them. Called once in a process, by registerBuiltinTypes() of host/graph/builtin.h.
void registerSceneTypes();

// Each registers one family.
void addTransformTypes();  // transform, joint, locator
void addMeshTypes();       // mesh, nurbsCurve, transformGeometry, groupParts, groupId, tweak
void addPolyTypes();       // polyPlane, polyCube, polySphere, polyCylinder, polyCone, polyTorus
void addAnimTypes();       // animCurveTL/TA/TU/TT and UL/UA/UU/UT, unitConversion
void addMathTypes();       // multiplyDivide, plusMinusAverage, …, composeMatrix, decomposeMatrix, multMatrix
void addRenderTypes();     // cameras, lights, shaders, sets, render settings, script

// What every new Maya scene contains: the four cameras, lambert1, initialShadingGroup, render settings.
void addDefaultNodes(Graph& graph);

}  // namespace purl::host
