// Stage: what every shader knows of a view, in the layout of render/shaders/stage.glsl.
#pragma once
#include <vector>

#include "render/view.h"

namespace purl {

struct Vec4 {
    float x = 0, y = 0, z = 0, w = 0;
};

struct StageLight {
    Vec4 place;  // directional: unit vector towards the light, w = 0; point: position, w = 1; ambient: w = 2; spot: 3
    Vec4 color;  // colour times intensity; w: decay
    Vec4 aim;    // spot: the way it shines; w: power of the cosine to it
    Vec4 cone;   // spot: x, y: cosines of the angles to its axis where its light has ended, and where it is whole
};

constexpr int kCascades = 4;

// Where each of `count` parts of the way from `nearest` to `farthest` ends: between even steps and even ratios.
std::vector<float> cascadeEnds(float nearest, float farthest, int count);

struct Stage {
    Mat4 viewFromWorld, clipFromView, worldFromView;
    Mat4 shadowFromWorld[kCascades];  // one a cascade, nearest first
    Vec4 cascadeEnds;                 // distance before the eye up to which each holds
    Vec4 cascadeTexels;               // length of a texel in each
    Vec4 cascadeAxis;                 // with (p, 1): how far p is before the eye that they were made for
    Vec4 eye;                         // position; w: exposure
    Vec4 focus;                       // centre of what is shown; w: its radius
    Vec4 zenith, horizon, floor;      // of the sky, times its intensity; zenith.w: 1 where it is a picture
    Vec4 skyLight[9];                 // what such a sky gives a matte surface (SkyLight); w of the first: its intensity
    Vec4 background;
    Vec4 wallTop;      // share of the background high up
    Vec4 waterTint;    // share of light that water lets through in its shadow
    Vec4 medium;       // water around everything: what is left of light after 1 / w; w = 0: air
    Vec4 moment;       // x: seconds
    Vec4 ground;       // colour; w: height
    Vec4 groundLines;  // x: radius where the ground has faded, y: distance between lines (0: none)
    Vec4 picture;      // width, height in pixels; tangents of half the angles of view
    Vec4 clip;         // nearest, farthest
    Vec4 shadow;  // x: the light that casts it, or −1; y: texels a side; z: width of half-shadows; w: 1 if water casts
                  // one too
    Vec4 panes[kMostPanes];  // normal, offset
    Vec4 lightCount;         // x; y: panes
    StageLight lights[kMostLights];
};

Stage setStage(const View& view, int width, int height, int shadowTexels);

// The same as one side of a cube around a point sees it: +x, −x, +y, −y, +z, −z.
constexpr int kCubeSides = 6;
Stage seenFrom(const Stage& stage, Vec3 center, int side, int texels);

}  // namespace purl
