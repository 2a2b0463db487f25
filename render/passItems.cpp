#include "render/passItems.h"

#include <algorithm>
#include <cmath>

namespace purl {

namespace {

constexpr float kCoreRadius = 0.72f;  // radius of a yarn's opaque core, in yarn radii

YarnSize sizeOf(const Curves& curves, const Camera& camera, int height) {
    double sum = 0;
    for (const float width : curves.widths) sum += width;
    YarnSize size;
    if (curves.widths.empty()) return size;
    size.radius = static_cast<float>(0.5 * sum / static_cast<double>(curves.widths.size()));
    const Bounds bounds = boundsOf(curves);
    const Vec3 nearest{std::clamp(camera.position.x, bounds.low.x, bounds.high.x),
                       std::clamp(camera.position.y, bounds.low.y, bounds.high.y),
                       std::clamp(camera.position.z, bounds.low.z, bounds.high.z)};
    const float distance = std::max(length(nearest - camera.position), 1e-6f * size.radius);
    size.pixels = size.radius / distance / std::tan(camera.verticalFov / 2) * float(height) / 2;
    return size;
}

// Yarns of at least this radius (pixels) are drawn as fibres; below it a tube looks the same.
constexpr float kFibrePixels = 2.5f;

bool hasFibres(const YarnLook& look, const YarnSize& size) {
    return look.detail == YarnDetail::automatic ? size.pixels >= kFibrePixels : look.detail == YarnDetail::fibres;
}

// Level of detail: round tubes in close-ups, coarse ones where a stitch covers a few pixels.
TubeShape tubeFor(const Curves& curves, const YarnSize& size) {
    if (size.pixels < 1.2f) return {1, 4};
    if (size.pixels < 3 || curves.count() > 60000) return {2, 6};
    return {4, 10};
}

}  // namespace

QuadSettings quadsFor(const YarnLook& look, const YarnSize& size) {
    const float pixels = std::clamp(size.pixels, 2.25f, 14.0f);
    QuadSettings settings;
    settings.gap = std::max(size.radius / pixels, 1e-12f);
    settings.layers = static_cast<int>(std::lround(pixels));
    settings.stride = std::max(1, static_cast<int>(std::lround(pixels / 3)));
    settings.lengthwise = look.stacks == YarnStacks::three;
    settings.shape = look.shape;
    return settings;
}

Passes::Items::Items(const Gl& gl, const Program& field, const View& v, float radius, int height, bool withAovs)
    : view(v) {
    for (const MeshLook& look : v.meshes) {
        meshes.push_back(upload(gl, look, withAovs));
        if (look.material != Material::water) continue;
        hasWater = true;
        const Bounds own = boundsOf(*look.mesh);
        if (own.empty()) continue;
        water.include(own.low);
        water.include(own.high);
    }
    for (const LiquidLook& look : v.liquids) {
        fields.emplace_back(gl, look, field);
        const Bounds& own = fields.back().box();
        if (own.empty()) continue;
        hasWater = true;
        water.include(own.low);
        water.include(own.high);
    }
    for (const PointsLook& look : v.points) {
        points.push_back(upload(gl, look, radius, withAovs));
        hasFoam = hasFoam || look.foam;
    }
    for (const GasLook& look : v.gases) gases.push_back(upload(gl, gasSplats(look, v, radius)));
    for (const LinesLook& look : v.lines) lines.push_back(upload(gl, look));
    for (const YarnLook& look : v.yarns) {
        sizes.push_back(sizeOf(*look.curves, v.camera, height));
        fibres.push_back(hasFibres(look, sizes.back()));
        const TubeShape tube = tubeFor(*look.curves, sizes.back());
        yarns.push_back(upload(gl, look, tube, withAovs));
        // Fibres are blended over a tube as their core.
        cores.push_back(fibres.back() && look.core ? upload(gl, look, tube, false, kCoreRadius) : Drawable());
    }
    const Vec3 eye = v.camera.position;
    underWater = !water.empty() && eye.x > water.low.x && eye.x < water.high.x && eye.y > water.low.y &&
                 eye.y < water.high.y && eye.z > water.low.z && eye.z < water.high.z;
    const auto distance = [&](size_t i) { return length(boundsOf(*v.meshes[i].mesh).center() - v.camera.position); };
    for (size_t i = 0; i < meshes.size(); ++i) {
        const MeshLook& look = v.meshes[i];
        if (look.material == Material::glass || (look.material == Material::matte && look.opacity < 1))
            glass.push_back(i);
    }
    std::stable_sort(glass.begin(), glass.end(), [&](size_t a, size_t b) { return distance(a) > distance(b); });
}

}  // namespace purl
