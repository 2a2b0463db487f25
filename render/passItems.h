// The view's items uploaded to the GPU, and the texture units that the passes bind.
#pragma once
#include <vector>

#include "render/passes.h"

namespace purl {

constexpr int kMsaaSamples = 4;
constexpr int kCubeTexels = 256;  // per side of a cube map face
constexpr int kMaxQuadsPerDraw = 1 << 16;

// Texture units, identical in all programs.
enum Unit {
    kSolidShadow,
    kWaterShadow,
    kBehindColor,
    kBehindDepth,
    kFluidDepth,
    kThickness,
    kEnvironmentCube,
    kColor,
    kSlice,
    kDepth,
    kLayer,
    kPanorama,
    kOcclusion,
    kField,
    kWaterSurface,
};

// A yarn's radius in pixels at the point of its bounds closest to the eye, and in scene units.
struct YarnSize {
    float pixels = 0, radius = 0;
};

// Quads about a pixel apart, but no finer than the fibres.
QuadSettings quadsFor(const YarnLook& look, const YarnSize& size);

struct Passes::Items {
    const View& view;
    std::vector<Drawable> meshes, points, gases, lines, yarns, cores;  // same order as in the view
    std::vector<LiquidField> fields;                                   // one per liquid
    std::vector<YarnSize> sizes;                                       // one per yarn
    std::vector<bool> fibres;                                          // whether a yarn is drawn as fibres
    bool hasWater = false, hasFoam = false;
    Bounds water;
    bool underWater = false;    // the eye may be inside: draw back faces too
    std::vector<size_t> glass;  // transparent meshes, back to front

    // `radius`: default radius of points; `withAovs`: also upload the attributes of the AOV pass.
    Items(const Gl& gl, const Program& field, const View& v, float radius, int height, bool withAovs);
};

}  // namespace purl
