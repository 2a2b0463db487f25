#include "render/viewUniforms.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace purl {

namespace {

struct Sphere {
    Vec3 center;
    float radius;
};

Vec4 vec4(Vec3 v, float w = 0) { return {v.x, v.y, v.z, w}; }

Sphere boundingSphere(const Bounds& bounds) {
    if (bounds.empty()) return {{0, 0, 0}, 1};
    return {bounds.center(), std::max(0.5f * length(bounds.size()), 1e-4f)};
}

// 1, 2 or 5 times a power of ten, close to a fifth of the length.
float roundSpacing(float length) {
    const float power = std::pow(10.0f, std::floor(std::log10(length / 5)));
    const float times = length / 5 / power;
    return power * (times < 2 ? 1.0f : times < 5 ? 2.0f : 5.0f);
}

void setCamera(ViewUniforms& uniforms, const Camera& camera, float nearest, float farthest) {
    const Vec3 eye = camera.position;
    const Mat3& axes = camera.axes;
    uniforms.viewFromWorld = viewMatrix(camera);
    uniforms.worldFromView = {{axes.x.x, axes.x.y, axes.x.z, 0, axes.y.x, axes.y.y, axes.y.z, 0, axes.z.x, axes.z.y,
                               axes.z.z, 0, eye.x, eye.y, eye.z, 1}};
    uniforms.eye = vec4(eye, uniforms.eye.w);
    uniforms.clipRange = {nearest, farthest, 0, 0};
}

// Bounds of points in the light's axes.
template <class Points>
Bounds boundsInAxes(const Mat3& axes, const Points& points) {
    Bounds bounds;
    for (const Vec3 p : points) bounds.include({dot(p, axes.x), dot(p, axes.y), dot(p, axes.z)});
    return bounds;
}

std::array<Vec3, 8> cornersOf(const Bounds& b) {
    std::array<Vec3, 8> corners;
    for (size_t i = 0; i < 8; ++i)
        corners[i] = {i & 1 ? b.high.x : b.low.x, i & 2 ? b.high.y : b.low.y, i & 4 ? b.high.z : b.low.z};
    return corners;
}

// Corners of the frustum slice between two distances.
std::array<Vec3, 8> slice(const Camera& camera, float aspect, float from, float to) {
    const float tangent = std::tan(camera.verticalFov / 2);
    std::array<Vec3, 8> corners;
    for (size_t i = 0; i < 8; ++i) {
        const float z = i & 4 ? to : from, x = (i & 1 ? z : -z) * tangent * aspect, y = (i & 2 ? z : -z) * tangent;
        corners[i] = camera.position + camera.axes * Vec3{x, y, -z};
    }
    return corners;
}

// Orthographic shadow matrix that covers the casters with shadows that may fall into the slice. The size is quantised
// and the origin snapped to whole texels, so that shadows do not shimmer while things move slightly between frames.
Mat4 shadowMatrix(const Bounds& casting, const std::array<Vec3, 8>& visible, Vec3 toLight, int texels,
                  float& texelLength) {
    Camera sun = lookAt(toLight, {0, 0, 0});
    const Bounds all = boundsInAxes(sun.axes, cornersOf(casting)), visibleBounds = boundsInAxes(sun.axes, visible);
    // Shadows fall along the light's axis, so the slice is clamped to the casters' extent across it.
    const auto within = [](float x, float low, float high) { return std::min(std::max(x, low), high); };
    const Vec3 low{within(visibleBounds.low.x, all.low.x, all.high.x),
                   within(visibleBounds.low.y, all.low.y, all.high.y), all.low.z};
    const Vec3 high{within(visibleBounds.high.x, all.low.x, all.high.x),
                    within(visibleBounds.high.y, all.low.y, all.high.y), all.high.z};
    const float size = std::max({high.x - low.x, high.y - low.y, 1e-3f * length(all.size())});
    const float radius = std::exp2(std::ceil(4 * std::log2(0.53f * size)) / 4);
    texelLength = 2 * radius / float(texels);
    const auto snapped = [&](float a, float b) { return std::round(0.5f * (a + b) / texelLength) * texelLength; };
    const float depth = all.high.z - all.low.z, margin = 0.05f * depth + radius;
    sun.position = sun.axes * Vec3{snapped(low.x, high.x), snapped(low.y, high.y), all.high.z + margin};
    return orthographic(radius, 0, depth + 2 * margin) * viewMatrix(sun);
}

LightUniforms spotLightUniforms(const Light& light, Vec3 position, float fraction) {
    // smoothstep needs a finite width even for a sharp edge
    constexpr float kMinFade = 0.002f;
    const float half = 0.5f * light.cone;
    const float inner = std::max(half + std::min(light.penumbra, 0.0f), 0.0f);
    const float outer = std::max(half + std::max(light.penumbra, 0.0f), inner + kMinFade);
    LightUniforms entry;
    entry.position = vec4(position, 3);
    entry.color = vec4(fraction * light.intensity * light.color, light.decay);
    entry.axis = vec4(normalized(light.direction, {0, -1, 0}), light.dropoff);
    entry.cone = {std::cos(outer), std::cos(inner), 0, 0};
    return entry;
}

// Approximates a rectangle light by spot lights at the centres of its quarters, with cosine emission.
std::vector<LightUniforms> areaLightUniforms(const Light& light) {
    Light lamp = light;
    lamp.cone = 3.1f;  // nearly a hemisphere
    lamp.penumbra = 0;
    lamp.dropoff = 1;
    std::vector<LightUniforms> entries;
    for (int i = 0; i < kAreaLamps; ++i)
        entries.push_back(spotLightUniforms(
            lamp, light.position + (i & 1 ? 0.5f : -0.5f) * light.across + (i & 2 ? 0.5f : -0.5f) * light.up,
            1.0f / kAreaLamps));
    return entries;
}

std::vector<LightUniforms> lightEntries(const Light& light) {
    LightUniforms entry;
    entry.color = vec4(light.intensity * light.color, light.decay);
    switch (light.kind) {
        case LightKind::directional: entry.position = vec4(-normalized(light.direction, {0, -1, 0}), 0); break;
        case LightKind::point: entry.position = vec4(light.position, 1); break;
        case LightKind::ambient: entry.position = {0, 0, 0, 2}; break;
        case LightKind::spot: return {spotLightUniforms(light, light.position, 1)};
        case LightKind::area: return areaLightUniforms(light);
    }
    return {entry};
}

// Averaged over all liquids: they share one shadow map.
Vec3 waterShadowTint(const View& view) {
    Vec3 sum{};
    int count = 0;
    const auto add = [&](Vec3 color, float turbidity) {
        sum += (1 - 0.5f * turbidity) * (Vec3{0.48f, 0.48f, 0.48f} + 0.5f * color);
        ++count;
    };
    for (const MeshLook& look : view.meshes)
        if (look.material == Material::water) add(look.color, look.turbidity);
    for (const LiquidLook& look : view.liquids) add(look.color, look.turbidity);
    return count > 0 ? sum / float(count) : Vec3{1, 1, 1};
}

}  // namespace

// zᵢ = λ n (f/n)^(i/N) + (1 − λ)(n + (f − n) i/N)
std::vector<float> cascadeEnds(float nearest, float farthest, int count) {
    constexpr float kLambda = 0.6f;  // λ
    std::vector<float> ends;
    for (int i = 1; i <= count; ++i) {
        const float t = float(i) / float(count);
        ends.push_back(kLambda * nearest * std::pow(farthest / nearest, t) +
                       (1 - kLambda) * (nearest + t * (farthest - nearest)));
    }
    return ends;
}

ViewUniforms makeViewUniforms(const View& view, int width, int height, int shadowTexels) {
    ViewUniforms uniforms;
    const Bounds all = boundsOf(view);
    const Sphere contents = boundingSphere(view.focus.empty() ? all : view.focus);
    const float groundRadius = 7 * contents.radius;
    const float aspect = float(width) / float(height);
    const float tangent = std::tan(view.camera.verticalFov / 2);

    // fit the depth range to the contents
    const Vec3 eye = view.camera.position;
    const Sphere items = boundingSphere(all);
    const float far1 = length(items.center - eye) + items.radius,
                far2 = length(contents.center - eye) + groundRadius * 1.5f;
    const float farthest = std::min(view.camera.farClip, 1.01f * (view.ground.visible ? std::max(far1, far2) : far1));
    float nearest = length(items.center - eye) - items.radius;
    if (view.ground.visible) nearest = std::min(nearest, 0.5f * std::abs(eye.y - view.ground.height));
    nearest = std::max({view.camera.nearClip, 0.9f * nearest, 1e-4f * farthest});

    setCamera(uniforms, view.camera, nearest, farthest);
    uniforms.clipFromView = perspective(view.camera.verticalFov, aspect, nearest, farthest);
    uniforms.eye.w = view.exposure;
    uniforms.focus = vec4(contents.center, contents.radius);
    uniforms.zenith = vec4(view.sky.intensity * view.sky.zenith);
    uniforms.horizon = vec4(view.sky.intensity * view.sky.horizon);
    uniforms.floor = vec4(view.sky.intensity * view.sky.floor);
    if (view.sky.environment) {
        uniforms.zenith.w = 1;
        for (int i = 0; i < 9; ++i)
            uniforms.skyIrradiance[i] = vec4(view.sky.intensity * view.sky.environment->irradiance.c[i]);
        uniforms.skyIrradiance[0].w = view.sky.intensity;
    }
    uniforms.background = vec4(view.background);
    uniforms.wallTop = vec4(view.wallTop);
    uniforms.waterTint = vec4(waterShadowTint(view));
    uniforms.medium = vec4(view.medium.color, view.medium.visibility > 0 ? 1 / view.medium.visibility : 0);
    uniforms.time.x = static_cast<float>(view.time);
    uniforms.ground = vec4(view.ground.color, view.ground.height);
    const float grid = view.ground.grid;
    uniforms.groundLines = {groundRadius, grid < 0 ? 0 : grid > 0 ? grid : roundSpacing(2 * contents.radius), 0, 0};
    const Vec3 forward = -view.camera.axes.z;
    uniforms.cascadeAxis = vec4(forward, -dot(forward, eye));
    uniforms.viewport = {float(width), float(height), tangent * aspect, tangent};

    int caster = -1, count = 0;
    for (const Light& light : view.lights) {
        for (const LightUniforms& entry : lightEntries(light)) {
            if (count == kMaxLights) break;
            if (light.kind == LightKind::directional && caster < 0) caster = count;
            uniforms.lights[count++] = entry;
        }
    }
    uniforms.counts.x = float(count);
    const size_t panes = std::min(view.panes.size(), size_t(kMaxPanes));
    for (size_t i = 0; i < panes; ++i) uniforms.panes[i] = vec4(view.panes[i].normal, view.panes[i].offset);
    uniforms.counts.y = float(panes);
    const bool water =
        !view.liquids.empty() || std::any_of(view.meshes.begin(), view.meshes.end(),
                                             [](const MeshLook& look) { return look.material == Material::water; });
    uniforms.shadow = {float(caster), float(shadowTexels), 0, water ? 1.0f : 0.0f};
    if (caster >= 0) {
        const Vec4 d = uniforms.lights[caster].position;
        // every caster must be inside, wherever the focus is
        Bounds casting = all;
        if (!view.focus.empty()) {
            casting.include(view.focus.low);
            casting.include(view.focus.high);
        }
        if (casting.empty()) casting = {{-1, -1, -1}, {1, 1, 1}};
        // From the nearest caster or visible ground to the farthest place that can receive a shadow.
        const Sphere around = boundingSphere(casting);
        const float distance = length(around.center - eye);
        const float from = std::max({nearest, distance - 1.5f * around.radius, 0.05f * distance});
        const float to = std::max(std::min(farthest, distance + 2 * around.radius), 1.01f * from);
        const int cascades = std::min(std::max(view.cascades, 1), kCascades);
        std::vector<float> ends = cascadeEnds(from, to, cascades);
        float* cascadeFar[] = {&uniforms.cascadeEnds.x, &uniforms.cascadeEnds.y, &uniforms.cascadeEnds.z,
                               &uniforms.cascadeEnds.w};
        float* texels[] = {&uniforms.cascadeTexels.x, &uniforms.cascadeTexels.y, &uniforms.cascadeTexels.z,
                           &uniforms.cascadeTexels.w};
        for (int i = 0; i < kCascades; ++i) {
            const int own = std::min(i, cascades - 1);  // unused cascades repeat the last one
            // The first cascade starts at the near plane, the last one ends at the far plane.
            const float begin = own > 0 ? ends[own - 1] : nearest;
            const float end = own == cascades - 1 ? farthest : ends[own];
            uniforms.shadowFromWorld[i] = shadowMatrix(casting, slice(view.camera, aspect, begin, end), {d.x, d.y, d.z},
                                                       shadowTexels, *texels[i]);
            *cascadeFar[i] = end;
        }
        uniforms.shadow.z = 0.008f * around.radius;
    }
    return uniforms;
}

ViewUniforms cubeFaceUniforms(const ViewUniforms& uniforms, Vec3 center, int side, int texels) {
    // Cube map faces are flipped vertically.
    static const struct {
        Vec3 forward, up;
    } kSides[kCubeSides] = {{{1, 0, 0}, {0, -1, 0}},  {{-1, 0, 0}, {0, -1, 0}}, {{0, 1, 0}, {0, 0, 1}},
                            {{0, -1, 0}, {0, 0, -1}}, {{0, 0, 1}, {0, -1, 0}},  {{0, 0, -1}, {0, -1, 0}}};
    const Camera camera = lookAt(center, center + kSides[side].forward, kSides[side].up);
    ViewUniforms result = uniforms;
    const float nearest = 0.01f * uniforms.focus.w, farthest = uniforms.clipRange.y;
    setCamera(result, camera, nearest, farthest);
    result.clipFromView = perspective(1.57079633f, 1, nearest, farthest);
    result.viewport = {float(texels), float(texels), 1, 1};
    return result;
}

}  // namespace purl
