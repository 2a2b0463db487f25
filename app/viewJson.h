// Exports a view as JSON for other renderers: camera, lights, looks and props. Items stored in the cache are referenced
// by name.
#pragma once
#include <string>

#include "render/view.h"

namespace purl {

// `frame`: its meshes and yarns are not exported, as they are in the cache's files.
std::string viewJson(const View& view, const Frame& frame);

}  // namespace purl
