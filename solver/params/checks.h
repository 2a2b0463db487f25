// Validity checks shared by all bodies with points and faces.
#pragma once
#include <string>
#include <vector>

#include "solver/core/vec.h"
#include "solver/geometry/faces.h"

namespace purl {

// Throw Error naming the owner and the problem if the faces are invalid, or if a map is neither empty nor has one value
// in [0, max] per point.
void checkFaces(const std::string& owner, const std::vector<Vec3>& points, const Faces& faces);
void checkMap(const std::string& owner, const char* what, const std::vector<float>& map, size_t points, float max);

}  // namespace purl
