// Panorama: an environment map (latitude-longitude image) used as a photographed sky.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "solver/core/vec.h"

namespace purl {

// Equirectangular: the top row is straight up, the middle column is −z, with +x to its right.
struct Panorama {
    int width = 0, height = 0;
    std::vector<Vec3> light;  // linear RGB, rows from the top

    Vec3 direction(int x, int y) const;  // of a pixel's centre
    float solidAngle(int y) const;       // of a pixel in this row, sr
};

// Reads .hdr (Radiance RGBE) or .exr, by file extension. Negative and non-finite values become 0,
// values above 10¹² that.
Panorama readPanorama(const std::string& path);

// The sun, if the image has one: pixels far brighter than the rest.
struct Sun {
    bool found = false;
    Vec3 direction{0, 1, 0};
    Vec3 color;               // of the directional light that gives a white Lambertian surface the same irradiance
    float threshold = 1e30f;  // luminance above which pixels belong to the sun
};
Sun sunOf(const Panorama& panorama);

// Irradiance / π of the panorama without the sun, by surface normal n, in spherical harmonics of order 2 (Ramamoorthi
// and Hanrahan 2001): c0 + c1 y + c2 z + c3 x + c4 xy + c5 yz + c6 (3z² − 1) + c7 xz + c8 (x² − y²).
struct SkyIrradiance {
    Vec3 c[9];
    Vec3 at(Vec3 normal) const;
};
SkyIrradiance skyIrradianceOf(const Panorama& panorama, const Sun& sun);

struct EnvironmentMap {
    Panorama panorama;
    Sun sun;
    SkyIrradiance irradiance;
};
std::shared_ptr<const EnvironmentMap> readSky(const std::string& path);

}  // namespace purl
