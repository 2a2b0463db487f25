// A view as JSON, for other renderers: camera, lights, looks, and what stands around. What the cache holds is named
// only.
#pragma once
#include <string>

#include "render/view.h"

namespace purl {

// `frame`: whose meshes and yarns are in the view; their points are left to the cache's files.
std::string viewJson(const View& view, const Frame& frame);

}  // namespace purl
