// Wavefront OBJ: a mesh as text that any tool reads. It holds no velocities.
#pragma once
#include <string>

#include "solver/frame.h"

namespace purl {

// Of the frame's first mesh; numbers are as short as they can be and still come back to the bit.
std::string encodeObj(const Frame& frame);
Frame decodeObj(const std::string& text, const std::string& path);

}  // namespace purl
