// The text of python/purl/looks.usda.
#pragma once

namespace purl {

extern const char* const kLooks;

}  // namespace purl
