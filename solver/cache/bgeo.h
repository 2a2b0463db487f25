// Houdini's classic geometry format (.bgeo, version 5, big-endian): the points of a body, or a mesh as polygons.
// Houdini, Partio and splashsurf read it; the .bgeo of current Houdini versions is a different format.
#pragma once
#include <string>

#include "solver/cache/format.h"
#include "solver/frame.h"

namespace purl {

// Encodes the frame's first mesh, or its points if it has no mesh. Attributes have Houdini's names: v, N, Cd, pscale,
// id … The frame must outlive the content.
FileContent encodeBgeo(const Frame& part, FileTime time);
// Also accepts Partio's attribute names (velocity, radius …). Throws Error naming `path`.
Frame decodeBgeo(const std::string& bytes, const std::string& path);

}  // namespace purl
