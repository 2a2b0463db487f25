// Houdini's classic geometry format (.bgeo, version 5, big-endian): the points of a body, or a mesh as polygons.
// Houdini reads it as its own of old, and so do Partio and splashsurf; today's .bgeo is another format.
#pragma once
#include <string>

#include "solver/cache/format.h"
#include "solver/frame.h"

namespace purl {

// Of the frame's first mesh, or without one of its points. Attributes have Houdini's names: v, N, Cd, pscale, id …
// The frame must outlive the content.
FileContent encodeBgeo(const Frame& part, FileTime time);
// Also reads points that Partio named (velocity, radius …). Throws Error naming `path`.
Frame decodeBgeo(const std::string& bytes, const std::string& path);

}  // namespace purl
