// Panorama: light from all directions as a picture, for a sky that was photographed.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "solver/core/vec.h"

namespace purl {

// Latitude by longitude: the upper row is straight up, the middle column is -z, +x is right of it.
struct Panorama {
    int width = 0, height = 0;
    std::vector<Vec3> light;  // rows from the top, linear

    Vec3 direction(int x, int y) const;  // of a pixel's middle
    float solidAngle(int y) const;       // of a pixel of this row
};

// .hdr (Radiance RGBE) or .exr, by the name's ending. Light that is not finite or below zero becomes 0.
Panorama readPanorama(const std::string& path);

// The sun, where the picture has one: pixels far brighter than all the rest.
struct Sun {
    bool there = false;
    Vec3 towards{0, 1, 0};
    Vec3 color;                // of a directional light that gives a white matte surface as much
    float brightness = 1e30f;  // pixels above count as sun
};
Sun sunOf(const Panorama& panorama);

// What all of the panorama but the sun gives to a white matte surface, by its normal n (Ramamoorthi and Hanrahan
// 2001): c0 + c1 y + c2 z + c3 x + c4 xy + c5 yz + c6 (3z² - 1) + c7 xz + c8 (x² - y²).
struct SkyLight {
    Vec3 c[9];
    Vec3 on(Vec3 normal) const;
};
SkyLight skyLightOf(const Panorama& panorama, const Sun& sun);

struct SkyPicture {
    Panorama panorama;
    Sun sun;
    SkyLight light;
};
std::shared_ptr<const SkyPicture> readSky(const std::string& path);

}  // namespace purl
