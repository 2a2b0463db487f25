// Node and data type ids. Scene files store them: never reuse or renumber one. They are at the end of the range for
// internal use until a block is registered with Autodesk.
#pragma once

namespace purl::id {

constexpr unsigned kFluid = 0x7ff00;
constexpr unsigned kEmitter = 0x7ff01;
constexpr unsigned kCollider = 0x7ff02;
constexpr unsigned kField = 0x7ff03;
constexpr unsigned kSolver = 0x7ff04;
constexpr unsigned kPoints = 0x7ff05;
constexpr unsigned kSurface = 0x7ff06;
constexpr unsigned kCache = 0x7ff07;
constexpr unsigned kRigid = 0x7ff08;
constexpr unsigned kCloth = 0x7ff09;
constexpr unsigned kClothMesh = 0x7ff0a;
constexpr unsigned kSoftBody = 0x7ff0b;
constexpr unsigned kKnit = 0x7ff0c;
constexpr unsigned kYarn = 0x7ff0d;
constexpr unsigned kFoam = 0x7ff0e;
constexpr unsigned kView = 0x7ff0f;
constexpr unsigned kMeshSequence = 0x7ff10;

constexpr unsigned kBodyData = 0x7ff80;
constexpr unsigned kEmitterData = 0x7ff81;
constexpr unsigned kFrameData = 0x7ff82;
constexpr unsigned kStateData = 0x7ff83;
constexpr unsigned kFoamData = 0x7ff84;

}  // namespace purl::id
