// POV-Ray: a mesh as a mesh2 object to #include in a scene (Bayraktar 5.2 renders its surfaces so). Written only.
#pragma once
#include <string>

#include "solver/cache/format.h"
#include "solver/frame.h"

namespace purl {

// Of the frame's first mesh: #declare NAME = mesh2 { … }. POV-Ray's axes are left-handed: z points into the picture
// there and out of it in Maya, so z is written negative, and faces go round the other way.
std::string encodePov(const Frame& part, FileTime time);

}  // namespace purl
