// purl view: opens the window, or saves a screenshot of it.
#pragma once
#include <string>
#include <vector>

namespace purl {

struct ViewOptions {
    std::string source;      // a .ma scene or a cache folder; empty: a new scene
    std::string screenshot;  // save a PNG of the window instead of showing it
    std::string size = "1400x840";
    std::string show;                  // quantity to colour by: speed, density, pressure, wetness, strain
    std::string select;                // node to select
    std::string tab;                   // tab of the panel
    std::string camera;                // camera to look through
    std::string compare;               // cache to show beside
    std::string menu;                  // menu to open, for screenshots
    std::vector<std::string> create;   // nodes to create, as in the Create menu: emitter, polySphere …
    std::vector<std::string> actions;  // actions to run, by their id
    std::vector<std::string> assignments;
    int frame = 0;  // 0: the first
};

int viewScene(const ViewOptions& options);
// Keys and mouse gestures as a Markdown table.
int printKeys();

}  // namespace purl
