// OpenEXR files: writes AOVs, reads panoramas. Throws Error in builds without the OpenEXR library.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "render/aovs.h"

namespace purl {

// Scan-line file: R, G, B, A as half; Z, N.X … N.Z, velocity.X … and wetness as float; id as uint. The attribute "ids"
// maps ids to names. Written to a temporary file and renamed, so a partial file is never visible.
void writeExr(const Aovs& aovs, const std::string& path);

struct ExrImage {
    int width = 0, height = 0;
    std::map<std::string, std::vector<float>> channels;
    std::string ids;  // "1 water, 2 panel"; empty where it has no such attribute
};

ExrImage readExr(const std::string& path);

}  // namespace purl
