// The readers of skies: pictures in Radiance's and OpenEXR's formats.
#include <string>

#include "render/exr.h"
#include "render/panorama.h"
#include "solver/cache/file.h"
#include "solver/core/error.h"
#include "tests/fuzz/fuzz.h"

namespace purl {
namespace {

// The readers take a file by its name.
void readAs(const char* path, const Bytes& bytes) {
    writeFile(path, bytes);
    const auto sky = readSky(path);
    require(sky->panorama.light.size() == size_t(sky->panorama.width) * size_t(sky->panorama.height),
            "a whole picture");
    for (const Vec3 light : sky->panorama.light)
        require(isFinite(light) && light.x >= 0 && light.y >= 0 && light.z >= 0, "light is finite");
}

Bytes smallHdr(const std::string& pixels, int width, int height) {
    return "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y " + std::to_string(height) + " +X " + std::to_string(width) +
           "\n" + pixels;
}

Bytes smallExr() {
    Aovs layers;
    layers.width = 4;
    layers.height = 3;
    layers.beauty.assign(12, {0.5f, 1, 2});
    layers.depth.assign(12, 3);
    layers.normals.resize(12);
    layers.velocities.resize(12);
    layers.wetness.resize(12);
    layers.ids.resize(12);
    writeExr(layers, "seed.exr");
    return readFile("seed.exr");
}

}  // namespace

const std::vector<Reader> kReaders = {
    {"hdr", [](const Bytes& bytes) { readAs("sky.hdr", bytes); },
     [] {
         std::string runs;
         for (int row = 0; row < 2; ++row) {
             runs += std::string{2, 2, 0, 8};
             for (int channel = 0; channel < 4; ++channel)
                 runs += std::string{static_cast<char>(128 + 5), 'a', 3, 'b', 'c', 'd'};
         }
         return std::vector<Bytes>{smallHdr(std::string(2 * 3 * 4, '\x81'), 2, 3), smallHdr(runs, 8, 2)};
     }},
    {"exr", [](const Bytes& bytes) { readAs("sky.exr", bytes); }, [] { return std::vector<Bytes>{smallExr()}; }},
};

}  // namespace purl
