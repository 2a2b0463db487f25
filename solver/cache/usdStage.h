// A USD layer that shows a cache: its .usda files as value clips, with materials bound to liquids, cloths and yarns.
#pragma once
#include <string>

#include "solver/cache/cacheReader.h"

namespace purl {

// The text of a layer at `path`, which refers to the cache's files and to `looks` (both relative to the layer).
// Under /World there is a prim for each item. Throws Error if the cache has no .usda files.
std::string encodeUsdStage(const CacheReader& cache, const std::string& path, const std::string& looks);

}  // namespace purl
