// Checks a cache folder against what its manifest says.
#pragma once
#include <string>
#include <vector>

namespace purl {

// One line a problem: what is missing, changed, left over or between frames, of the cache and of the branches below its
// folder. Frames' files, packed files, descriptions, states and the manifest itself are all held against their hashes.
// Empty: all is as it was written.
std::vector<std::string> verifyCache(const std::string& directory);

}  // namespace purl
