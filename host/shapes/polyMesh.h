// Polygon meshes as plain arrays: what the poly* creators make and what a scene file stores.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "host/shapes/transform.h"

namespace purl::host {

struct PolyMesh {
    std::vector<std::array<float, 3>> points;  // cm
    std::vector<std::array<int, 2>> edges;     // in Maya's order; may be empty: then they follow from the faces
    std::vector<char> smooth;                  // one per edge: 0 hard, 1 smooth
    std::vector<int> counts;                   // vertices per face
    std::vector<int> connects;                 // their indices, face after face
    std::vector<std::array<float, 2>> uvs;     // of the current UV set
    std::vector<int> uvIds;                    // per face vertex, or empty
};

// ---- the creators, in Maya's vertex, edge and face order; counts below the least Maya allows are raised to it ----

// Subdivisions that make more faces than this are refused with an Error before memory is taken: some 150 bytes a face.
constexpr double kMaxFaces = 2048 * 2048;

// Which UVs a creator makes: 0 none, else scaled to the unit square with or without keeping the aspect ratio.
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

// Turns a creator's +y to `axis` the short way (a zero axis means +y), after sliding it along y.
void placeOnAxis(PolyMesh& mesh, const Vec3d& axis, double slideY);

void transformPoints(PolyMesh& mesh, const Mat4d& matrix);

// "" for a sound mesh, else what is wrong with it: "face 3 names vertex 12 of 8".
std::string check(const PolyMesh& mesh);

}  // namespace purl::host
