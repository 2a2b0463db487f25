// What the passes of a view draw, all of it uploaded and its yarns sized up, and where their textures are.
#pragma once
#include <vector>

#include "render/passes.h"

namespace purl {

// Texture units, the same in every program that reads them.
enum Unit {
    kSolidShadow,
    kWaterShadow,
    kBehind,
    kBehindDepth,
    kFluidDepth,
    kThickness,
    kSurroundings,
    kColor,
    kSlice,
    kDepth,
    kFibres,
    kPanorama,
    kShade,
    kField,
    kWaterSurface,
};

// A yarn's radius in pixels where it is nearest to the eye of all of its body; and in the scene's units.
struct YarnSize {
    float pixels = 0, radius = 0;
};

// Quads a pixel or so apart, but no more than fibres are fine.
QuadSettings quadsFor(const YarnLook& look, const YarnSize& size);

struct Passes::Items {
    const View& view;
    std::vector<Drawable> meshes, points, gases, lines, yarns, cores;  // in the view's order
    std::vector<LiquidField> fields;                                   // of the liquids, in the same
    std::vector<YarnSize> sizes;                                       // of the yarns
    std::vector<bool> fibres;                                          // whether a yarn is drawn as such
    bool hasWater = false, hasFoam = false;
    Bounds water;
    bool underWater = false;    // the eye may be: surfaces are seen from below too
    std::vector<size_t> glass;  // blended meshes, farthest first

    // `radius`: of points that have none; `tell`: with what layers ask for.
    Items(const Gl& gl, const Program& field, const View& v, float radius, int height, bool tell);
};

}  // namespace purl
