// purl view: opens the window, or saves a screenshot of it.
#pragma once
#include <string>
#include <vector>

namespace purl {

struct ViewOptions {
    std::string source;      // a .ma scene or a cache folder
    std::string screenshot;  // save a PNG of the window instead of showing it
    std::string size = "1400x840";
    std::string show;    // quantity to colour by: speed, density, pressure, wetness, strain
    std::string select;  // node to select
    std::string tab;     // tab of the panel
    std::vector<std::string> assignments;
    int frame = 0;  // 0: the first
};

int viewScene(const ViewOptions& options);

}  // namespace purl
