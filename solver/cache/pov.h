// POV-Ray: a mesh as a mesh2 object to #include in a scene (as Bayraktar 5.2 renders surfaces). Write-only.
#pragma once
#include <string>

#include "solver/cache/format.h"
#include "solver/frame.h"

namespace purl {

// Encodes the frame's first mesh: #declare NAME = mesh2 { … }. POV-Ray is left-handed and Maya right-handed, so z is
// negated and the winding of faces reversed.
std::string encodePov(const Frame& part, FileTime time);

}  // namespace purl
