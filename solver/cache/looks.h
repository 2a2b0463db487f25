// The look of a cache's items in USD: a material of python/purl/looks.usda, and the attributes that Arnold reads.
#pragma once
#include <string>

#include "solver/cache/manifest.h"

namespace purl {

struct Look {
    const char* material = nullptr;    // null: the item's displayColor
    const char* arnoldMode = nullptr;  // primvars:arnold:mode; null: Arnold's default
    bool arnoldOpaque = true;          // primvars:arnold:opaque, true by default in Arnold
    bool doubleSided = false;          // seen from behind too
};

Look lookOf(const Manifest& manifest, Content content, const std::string& item);

}  // namespace purl
