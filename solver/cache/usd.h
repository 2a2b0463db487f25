// USD as text: particles as Points, meshes as Mesh, yarns as BasisCurves, which renderers and DCCs open. One frame a
// file, as a time sample of its number, so that the files can be strung together as value clips (python/purl/usd.py).
#pragma once
#include <string>

#include "solver/cache/format.h"
#include "solver/frame.h"

namespace purl {

// Of the frame's first curves, mesh or body; numbers are as short as they can be and still come back to the bit.
std::string encodeUsd(const Frame& part, FileTime time);
// Reads what encodeUsd writes, not any USD. Throws Error naming `path`.
Frame decodeUsd(const std::string& text, const std::string& path);

}  // namespace purl
