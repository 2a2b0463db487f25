// Aovs: arbitrary output variables of a render, for compositing.
#pragma once
#include <string>
#include <vector>

#include "solver/core/vec.h"

namespace purl {

// Rows from the top. `beauty` is linear, before exposure and tone mapping; the others describe the nearest surface with
// one sample per pixel. Empty pixels are 0, with depth kEmptyDepth.
struct Aovs {
    static constexpr float kEmptyDepth = 1e10f;

    int width = 0, height = 0;
    std::vector<Vec3> beauty;
    std::vector<float> depth;        // distance along the view axis
    std::vector<Vec3> normals;       // world space, facing the eye
    std::vector<Vec3> velocities;    // world space, units per second
    std::vector<float> wetness;      // saturation of fabrics, 0 to 1
    std::vector<int> ids;            // 1 + index into names; 0: empty
    std::vector<std::string> names;  // meshes, liquids, points, yarns, in this order; then the ground
};

}  // namespace purl
