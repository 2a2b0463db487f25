// Checks a cache folder against its manifest.
#pragma once
#include <string>
#include <vector>

namespace purl {

// Returns one line per problem: missing, modified or left-over files and missing frames, in the cache and its branches.
// Compares frame files, packed files, descriptions, states and the manifest itself with their hashes. Empty if
// everything is intact.
std::vector<std::string> verifyCache(const std::string& directory);

}  // namespace purl
