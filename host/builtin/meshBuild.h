// Meshes built from other geometry: smoothed, united, and revolved from a curve.
#pragma once
#include <utility>
#include <vector>

#include "host/graph/data.h"
#include "host/shapes/transform.h"

namespace purl::host {

struct Smoothing {
    int divisions = 1;
    double continuity = 1;   // 0: faces are only divided, 1: Catmull-Clark
    bool keepBorder = true;  // border edges are divided, but do not move
};
constexpr int kMaxSmoothDivisions = 4;  // the limit of Maya's polySmooth

// Divides every face into quads at its centre and the middles of its edges, `divisions` times.
std::shared_ptr<MeshData> smoothed(const MeshData& mesh, const Smoothing& smoothing);

// All meshes as one, each with its points transformed. A mirroring matrix also reverses the faces, so that normals keep
// pointing outwards.
std::shared_ptr<MeshData> united(const std::vector<std::pair<std::shared_ptr<const MeshData>, Mat4d>>& meshes);

struct Revolution {
    Vec3d axis{1, 0, 0}, pivot{0, 0, 0};           // cm
    double start = 0, end = 6.283185307179586477;  // rad
    int degree = 3, sections = 8;  // degree 3: round, four quads a section; 1: straight between sections
};

// The surface that a profile, given as points of a polyline in cm, sweeps around an axis. Points on the axis become
// poles. Faces point away from the axis where the profile rises along it, and outwards if the surface is closed. Throws
// Error if the profile lies on the axis.
std::shared_ptr<MeshData> revolved(std::vector<Vec3d> profile, const Revolution& revolution);

// Points of a curve: its CVs if it is of degree 1, else four per span on the curve.
std::vector<Vec3d> profileOf(const CurveData& curve);

}  // namespace purl::host
