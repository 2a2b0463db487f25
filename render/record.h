// What passes leave behind besides a picture: what they drew, and how long it took.
#pragma once
#include <string>

namespace purl {

// What a pass drew.
struct PassRecord {
    std::string name;
    int solids = 0, fluids = 0, yarns = 0;
};

// Where the time went: all passes of a name together, and what is done before they can draw.
struct PassTime {
    std::string name;
    double seconds = 0;
};

}  // namespace purl
