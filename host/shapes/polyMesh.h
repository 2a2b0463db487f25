// Polygon meshes as plain arrays, and the poly* primitives.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "host/shapes/transform.h"

namespace purl::host {

struct PolyMesh {
    std::vector<std::array<float, 3>> points;  // cm
    std::vector<std::array<int, 2>> edges;     // in Maya's order; empty: derived from the faces
    std::vector<char> smooth;                  // one per edge: 0 hard, 1 smooth
    std::vector<int> counts;                   // vertices per face
    std::vector<int> connects;                 // vertex indices, concatenated
    std::vector<std::array<float, 2>> uvs;     // of the current UV set
    std::vector<int> uvIds;                    // per face vertex, or empty
};

// ---- primitives, in Maya's vertex, edge and face order; subdivisions are clamped to Maya's minimum ----

// More faces than this throw an Error before memory is allocated, about 150 bytes per face.
constexpr double kMaxFaces = 2048 * 2048;

// UVs of a primitive: none, or scaled to the unit square with or without preserving the aspect ratio.
enum class UvScale { none, fill, keepAspect };

PolyMesh polyPlane(double width, double height, int subWidth, int subHeight, UvScale uvs = UvScale::keepAspect);
PolyMesh polyCube(double width, double height, double depth, int subWidth, int subHeight, int subDepth,
                  UvScale uvs = UvScale::keepAspect);
PolyMesh polySphere(double radius, int subAxis, int subHeight, UvScale uvs = UvScale::fill);
PolyMesh polyCylinder(double radius, double height, int subAxis, int subHeight, int subCaps,
                      UvScale uvs = UvScale::keepAspect);
PolyMesh polyCone(double radius, double height, int subAxis, int subHeight, int subCaps,
                  UvScale uvs = UvScale::keepAspect);
PolyMesh polyTorus(double radius, double sectionRadius, double twist, int subAxis, int subHeight,
                   UvScale uvs = UvScale::fill);

// Translates a primitive along y, then rotates its +y to `axis` by the shortest rotation (a zero axis means +y).
void placeOnAxis(PolyMesh& mesh, const Vec3d& axis, double slideY);

void transformPoints(PolyMesh& mesh, const Mat4d& matrix);

// Returns "" for a valid mesh, else an error: "face 3 refers to vertex 12 of 8".
std::string check(const PolyMesh& mesh);

}  // namespace purl::host
