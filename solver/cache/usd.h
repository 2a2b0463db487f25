// USD as text: particles as Points, meshes as Mesh, yarns as BasisCurves. One file per frame, with one time sample, so
// that the files can be combined as value clips (python/purl/usd.py).
#pragma once
#include <string>

#include "solver/cache/format.h"
#include "solver/frame.h"

namespace purl {

// Encodes the frame's first curves, mesh or body, with the shortest numbers that round-trip exactly.
std::string encodeUsd(const Frame& part, FileTime time);
// Reads files of encodeUsd only, not USD in general. Throws Error naming `path`.
Frame decodeUsd(const std::string& text, const std::string& path);

}  // namespace purl
