// PictureLayers: a picture in numbers, for compositing: linear light, and what each pixel shows.
#pragma once
#include <string>
#include <vector>

#include "solver/core/vec.h"

namespace purl {

// Rows from the top, pixels from the left. `light` is as it arrives, before exposure and film; all others are of the
// nearest thing, one sample a pixel: of water its surface. Where there is nothing they are 0, and depth is kNothing.
struct PictureLayers {
    static constexpr float kNothing = 1e10f;

    int width = 0, height = 0;
    std::vector<Vec3> light;
    std::vector<float> depth;        // before the eye, along its axis
    std::vector<Vec3> normals;       // in the world, towards the eye
    std::vector<Vec3> velocities;    // in the world, units per second
    std::vector<float> wetness;      // saturation of fabrics, 0 to 1
    std::vector<int> ids;            // 1 + the thing's index in names; 0: nothing
    std::vector<std::string> names;  // of meshes, then points, then yarns; the last is the ground
};

}  // namespace purl
