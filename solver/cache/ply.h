// PLY, binary little-endian: a mesh, or the points of a body.
#pragma once
#include <string>

#include "solver/cache/fileContent.h"
#include "solver/frame.h"

namespace purl {

// Encodes the frame's first mesh: x y z, nx ny nz, vx vy vz, triangles. Without a mesh, its points: also ax ay az,
// density, pressure, radius, age, id. The frame must outlive the content.
FileContent encodePly(const Frame& frame);
// Throws Error naming `path` if the bytes are not such a PLY file, or are truncated.
Frame decodePly(const std::string& bytes, const std::string& path);

}  // namespace purl
