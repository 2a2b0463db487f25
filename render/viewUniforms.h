// ViewUniforms: the uniform block shared by all shaders, in the std140 layout of render/shaders/viewUniforms.glsl.
#pragma once
#include <vector>

#include "render/view.h"

namespace purl {

struct Vec4 {
    float x = 0, y = 0, z = 0, w = 0;
};

struct LightUniforms {
    Vec4
        position;  // directional: unit vector towards the light, w = 0; point: position, w = 1; ambient: w = 2; spot: 3
    Vec4 color;    // colour times intensity; w: decay
    Vec4 axis;     // spot: direction of the axis; w: exponent of the cosine falloff
    Vec4 cone;     // spot: x, y: cosines of the outer and inner cone angles
};

constexpr int kCascades = 4;

// Far distance of each of `count` shadow cascades between `nearest` and `farthest`: the practical split scheme, a mix
// of uniform and logarithmic splits (Zhang et al. 2006).
std::vector<float> cascadeEnds(float nearest, float farthest, int count);

struct ViewUniforms {
    Mat4 viewFromWorld, clipFromView, worldFromView;
    Mat4 shadowFromWorld[kCascades];  // one per cascade, nearest first
    Vec4 cascadeEnds;                 // far view-space distance of each cascade
    Vec4 cascadeTexels;               // world-space texel size of each
    Vec4 cascadeAxis;             // dot with (p, 1): distance of p along the view axis that the cascades were made for
    Vec4 eye;                     // position; w: exposure
    Vec4 focus;                   // centre of the view's contents; w: their radius
    Vec4 zenith, horizon, floor;  // sky colours times intensity; zenith.w: 1 if the sky is an environment map
    Vec4 skyIrradiance[9];        // spherical harmonics of that map's irradiance (SkyIrradiance); w of the first: its
                                  // intensity
    Vec4 background;
    Vec4 wallTop;      // factor on the background high up
    Vec4 waterTint;    // transmittance of water in its shadow
    Vec4 medium;       // surrounding water: transmittance per length 1 / w; w = 0: air
    Vec4 time;         // x: time, s
    Vec4 ground;       // colour; w: height
    Vec4 groundLines;  // x: radius at which the ground has faded out; y: grid spacing (0: none)
    Vec4 viewport;     // width, height in pixels; tangents of half the fields of view
    Vec4 clipRange;    // near and far distance
    Vec4 shadow;  // x: index of the shadow-casting light, or −1; y: texels per side; z: penumbra width; w: 1 if water
                  // casts shadows one too
    Vec4 panes[kMaxPanes];  // normal, offset
    Vec4 counts;            // x: lights; y: panes
    LightUniforms lights[kMaxLights];
};

ViewUniforms makeViewUniforms(const View& view, int width, int height, int shadowTexels);

// The same for one face of a cube map around `center`: +x, −x, +y, −y, +z, −z.
constexpr int kCubeSides = 6;
ViewUniforms cubeFaceUniforms(const ViewUniforms& uniforms, Vec3 center, int side, int texels);

}  // namespace purl
