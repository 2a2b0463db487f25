// USD as text: the yarns of a knit as BasisCurves, which renderers and DCCs open. One frame a file, as a time sample of
// its number, so that the files can be strung together as value clips.
#pragma once
#include <string>

#include "solver/cache/format.h"
#include "solver/frame.h"

namespace purl {

// Of the frame's first curves; numbers are as short as they can be and still come back to the bit.
std::string encodeUsd(const Frame& frame, FileTime time);
// Reads what encodeUsd writes, not any USD. Throws Error naming `path`.
Frame decodeUsd(const std::string& text, const std::string& path);

}  // namespace purl
