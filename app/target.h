// Checks made before a command converts a cache: nothing is removed until it is certain that the new one can be
// written.
#pragma once
#include <string>
#include <vector>

#include "solver/cache/cache.h"

namespace purl {

// Throws Error if `out` is the source cache or belongs to its branch tree.
void checkTarget(const CacheReader& source, const std::string& out);
// Throws Error if the cache lacks a frame, or one of its files is missing or has the wrong size.
void checkFrames(const CacheReader& source, const std::vector<int>& numbers);

}  // namespace purl
