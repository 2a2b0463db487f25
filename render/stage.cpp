#include "render/stage.h"

#include <algorithm>

namespace purl {

namespace {

struct Ball {
    Vec3 center;
    float radius;
};

Vec4 vec4(Vec3 v, float w = 0) { return {v.x, v.y, v.z, w}; }

Ball ballAround(const Bounds& bounds) {
    if (bounds.empty()) return {{0, 0, 0}, 1};
    return {bounds.center(), std::max(0.5f * length(bounds.size()), 1e-4f)};
}

// 1, 2 or 5 times a power of ten, near a fifth of the length.
float roundSpacing(float length) {
    const float power = std::pow(10.0f, std::floor(std::log10(length / 5)));
    const float times = length / 5 / power;
    return power * (times < 2 ? 1.0f : times < 5 ? 2.0f : 5.0f);
}

// An upright square of light rays around the ball. Its size goes in steps and its place in whole texels, so that
// shadows hold still while the ball moves a little from frame to frame.
Mat4 shadowMatrix(const Ball& ball, Vec3 towardsLight, int texels, float& texelLength) {
    const float radius = std::exp2(std::ceil(4 * std::log2(1.05f * ball.radius)) / 4);
    texelLength = 2 * radius / float(texels);
    Camera sun = lookAt(towardsLight, {0, 0, 0});
    const auto snapped = [&](Vec3 axis) { return std::round(dot(ball.center, axis) / texelLength) * texelLength; };
    const float back = dot(ball.center, sun.axes.z) + 2 * radius;
    sun.position = sun.axes * Vec3{snapped(sun.axes.x), snapped(sun.axes.y), back};
    return orthographic(radius, 0, 4 * radius) * viewMatrix(sun);
}

}  // namespace

Stage setStage(const View& view, int width, int height, int shadowTexels) {
    Stage stage;
    const Bounds all = boundsOf(view);
    const Ball ball = ballAround(view.focus.empty() ? all : view.focus);
    const float reach = 7 * ball.radius;  // of the ground
    const float aspect = float(width) / float(height);
    const float tangent = std::tan(view.camera.verticalFov / 2);

    // depth from just before the nearest thing to just behind the farthest
    const Vec3 eye = view.camera.position;
    const Ball items = ballAround(all);
    const float far1 = length(items.center - eye) + items.radius, far2 = length(ball.center - eye) + reach * 1.5f;
    const float farthest = std::min(view.camera.farClip, 1.01f * (view.ground.visible ? std::max(far1, far2) : far1));
    float nearest = length(items.center - eye) - items.radius;
    if (view.ground.visible) nearest = std::min(nearest, 0.5f * std::abs(eye.y - view.ground.height));
    nearest = std::max({view.camera.nearClip, 0.9f * nearest, 1e-4f * farthest});

    stage.viewFromWorld = viewMatrix(view.camera);
    stage.clipFromView = perspective(view.camera.verticalFov, aspect, nearest, farthest);
    const Mat3& axes = view.camera.axes;
    stage.worldFromView = {{axes.x.x, axes.x.y, axes.x.z, 0, axes.y.x, axes.y.y, axes.y.z, 0, axes.z.x, axes.z.y,
                            axes.z.z, 0, eye.x, eye.y, eye.z, 1}};
    stage.eye = vec4(eye, view.exposure);
    stage.focus = vec4(ball.center, ball.radius);
    stage.zenith = vec4(view.sky.intensity * view.sky.zenith);
    stage.horizon = vec4(view.sky.intensity * view.sky.horizon);
    stage.floor = vec4(view.sky.intensity * view.sky.floor);
    stage.background = vec4(view.background);
    stage.ground = vec4(view.ground.color, view.ground.height);
    const float grid = view.ground.grid;
    stage.groundLines = {reach, grid < 0 ? 0 : grid > 0 ? grid : roundSpacing(2 * ball.radius), 0, 0};
    stage.picture = {float(width), float(height), tangent * aspect, tangent};
    stage.clip = {nearest, farthest, 0, 0};

    int caster = -1, count = 0;
    for (const Light& light : view.lights) {
        if (count == kMostLights) break;
        StageLight& entry = stage.lights[count];
        entry.color = vec4(light.intensity * light.color, light.decay);
        switch (light.kind) {
            case LightKind::directional:
                entry.place = vec4(-normalized(light.direction, {0, -1, 0}), 0);
                if (caster < 0) caster = count;
                break;
            case LightKind::point: entry.place = vec4(light.position, 1); break;
            case LightKind::ambient: entry.place = {0, 0, 0, 2}; break;
        }
        ++count;
    }
    stage.lightCount.x = float(count);
    const bool water = std::any_of(view.meshes.begin(), view.meshes.end(),
                                   [](const MeshLook& look) { return look.material == Material::water; });
    stage.shadow = {float(caster), float(shadowTexels), 0, water ? 1.0f : 0.0f};
    if (caster >= 0) {
        const Vec4 d = stage.lights[caster].place;
        // all that casts a shadow must be inside, wherever the focus is
        Bounds casting = all;
        if (!view.focus.empty()) {
            casting.include(view.focus.low);
            casting.include(view.focus.high);
        }
        stage.shadowFromWorld = shadowMatrix(ballAround(casting), {d.x, d.y, d.z}, shadowTexels, stage.shadow.z);
    }
    return stage;
}

}  // namespace purl
