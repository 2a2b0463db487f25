// Statistics of the render passes.
#pragma once
#include <string>

namespace purl {

// Number of items a pass drew.
struct PassRecord {
    std::string name;
    int solids = 0, fluids = 0, yarns = 0;
};

// Time spent in all passes of one name, or in preparing them.
struct PassTime {
    std::string name;
    double seconds = 0;
};

}  // namespace purl
