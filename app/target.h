// Checks before a command makes a cache or a file from another cache: nothing is removed until it is known that the new
// one can be made.
#pragma once
#include <string>
#include <vector>

#include "solver/cache/cache.h"

namespace purl {

// Throws Error where `out` is the cache itself, one that it is a branch of, or a branch of one of these.
void checkTarget(const CacheReader& source, const std::string& out);
// Throws Error where the cache lacks a frame, or a frame's file is not there in the size it was written with.
void checkFrames(const CacheReader& source, const std::vector<int>& numbers);

}  // namespace purl
