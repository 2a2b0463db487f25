// PLY, binary little-endian: a mesh, or the points of a body.
#pragma once
#include <string>

#include "solver/cache/fileContent.h"
#include "solver/frame.h"

namespace purl {

// Of the frame's first mesh: x y z, nx ny nz, vx vy vz, triangles. Without a mesh, of its points: also ax ay az,
// density, pressure, radius, age, id. The frame must outlive the content.
FileContent encodePly(const Frame& frame);
// Throws Error naming `path` where the bytes are no such PLY, or are cut short.
Frame decodePly(const std::string& bytes, const std::string& path);

}  // namespace purl
