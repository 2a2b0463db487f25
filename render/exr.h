// OpenEXR files: writes AOVs, reads panoramas. Throws Error in builds without the OpenEXR library.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "render/aovs.h"

namespace purl {

// Scan-line file: R, G, B, A as half; Z, N.X … N.Z, velocity.X … and wetness as float; id as uint. The attribute "ids"
// maps ids to names. Written to a temporary file and renamed, so a partial file is never visible.
void writeExr(const Aovs& aovs, const std::string& path);

// Throws Error for images that are not read: more than 32 768 pixels a side, or more than 2²⁷ in all, which a panorama
// of 16 384 by 8192 has. A few bytes of a compressed file can stand for any number of pixels.
void checkImageSize(const std::string& path, int64_t width, int64_t height);

struct ExrImage {
    int width = 0, height = 0;
    std::map<std::string, std::vector<float>> channels;
    std::string ids;  // "1 water, 2 panel"; empty where it has no such attribute
};

// Reads the named channels, all of which the image must have.
ExrImage readExr(const std::string& path, const std::vector<std::string>& channels);

}  // namespace purl
