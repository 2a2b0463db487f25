// Picture: pixels in memory, and the PNG files they become.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace purl {

// Rows from the top, pixels from the left, four bytes each: sRGB red, green, blue, and opacity.
struct Picture {
    int width = 0, height = 0;
    std::vector<uint8_t> rgba;

    const uint8_t* pixel(int x, int y) const { return &rgba[4 * (size_t(y) * size_t(width) + size_t(x))]; }
};

inline bool operator==(const Picture& a, const Picture& b) {
    return a.width == b.width && a.height == b.height && a.rgba == b.rgba;
}

// The file is whole or absent: written as `path`.part, then renamed.
void writePng(const Picture& picture, const std::string& path);
Picture readPng(const std::string& path);

}  // namespace purl
