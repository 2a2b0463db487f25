// Picture: an 8-bit RGBA image, and reading and writing it as PNG.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace purl {

// Rows from the top, 4 bytes per pixel: sRGB red, green, blue, and alpha.
struct Picture {
    int width = 0, height = 0;
    std::vector<uint8_t> rgba;

    const uint8_t* pixel(int x, int y) const { return &rgba[4 * (size_t(y) * size_t(width) + size_t(x))]; }
};

inline bool operator==(const Picture& a, const Picture& b) {
    return a.width == b.width && a.height == b.height && a.rgba == b.rgba;
}

// Written as `path`.part and renamed, so a partial file is never visible.
void writePng(const Picture& picture, const std::string& path);
Picture readPng(const std::string& path);

}  // namespace purl
