// OpenEXR files: layers out, panoramas in. Only where the build found the OpenEXR library; elsewhere an Error says so.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "render/pictureLayers.h"

namespace purl {

// One file by scan lines, half precision for R, G, B, A and float for the rest: Z, N.X … N.Z, velocity.X …, wetness,
// and id as whole numbers; the attribute "ids" says which is which. The file is whole or absent.
void writeExr(const PictureLayers& layers, const std::string& path);

struct ExrImage {
    int width = 0, height = 0;
    std::map<std::string, std::vector<float>> channels;
    std::string ids;  // "1 water, 2 panel"; empty where it has no such attribute
};

ExrImage readExr(const std::string& path);

}  // namespace purl
