// purl view: the window, and its picture for documents.
#pragma once
#include <string>
#include <vector>

namespace purl {

struct ViewOptions {
    std::string source;      // a .ma scene or a cache folder
    std::string screenshot;  // a PNG of the whole window, instead of showing it
    std::string size = "1400x840";
    std::string show;    // what to colour by: speed, density, pressure, wetness, strain
    std::string select;  // a node
    std::string tab;     // of the panel
    std::vector<std::string> assignments;
    int frame = 0;  // 0: the first
};

int viewScene(const ViewOptions& options);

}  // namespace purl
