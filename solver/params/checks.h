// What bodies of points with faces are checked for, whatever they are made of.
#pragma once
#include <string>
#include <vector>

#include "solver/core/vec.h"
#include "solver/geometry/faces.h"

namespace purl {

// Throw Error naming the owner and what is wrong with its mesh, or with a map that is neither empty nor one value from
// 0 to `most` a point.
void checkFaces(const std::string& owner, const std::vector<Vec3>& points, const Faces& faces);
void checkMap(const std::string& owner, const char* what, const std::vector<float>& map, size_t points, float most);

}  // namespace purl
