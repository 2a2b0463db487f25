// Wavefront OBJ: a mesh as text. It cannot hold velocities.
#pragma once
#include <string>

#include "solver/frame.h"

namespace purl {

// Encodes the frame's first mesh, with the shortest numbers that round-trip exactly.
std::string encodeObj(const Frame& frame);
Frame decodeObj(const std::string& text, const std::string& path);

}  // namespace purl
