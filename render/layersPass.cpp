// The AOV pass: renders and reads back the channels of EXR files.
#include <cmath>

#include "render/passItems.h"

namespace purl {

// Fills the AOVs: linear beauty, and a G-buffer of the nearest surface. Yarn is rendered as tubes.
void Passes::tell(const Items& items, const Stage& stage, PictureLayers& layers) {
    if (!toldTarget_) {
        light_ = makeTexture(gl_, GL_RGBA32F, width_, height_);
        surface_ = makeTexture(gl_, GL_RGBA32F, width_, height_);
        motion_ = makeTexture(gl_, GL_RGBA32F, width_, height_);
        toldDepth_ = makeTexture(gl_, GL_DEPTH_COMPONENT32F, width_, height_);
        lightTarget_ = makeTarget(gl_, light_, 0);
        toldTarget_ = makeTargets(gl_, {surface_, motion_}, toldDepth_);
    }
    layers = {};
    layers.width = width_;
    layers.height = height_;
    begin("layers", lightTarget_, width_, height_);
    develop_.set("plain", 1);
    drawScreen();

    gl_.BindFramebuffer(GL_FRAMEBUFFER, toldTarget_);
    gl_.Enable(GL_DEPTH_TEST);
    gl_.ClearColor(0, 0, 0, 0);
    gl_.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    const View& view = items.view;
    const auto name = [&](const Program& program, const std::string& of) {
        layers.names.push_back(of);
        program.set("id", static_cast<int>(layers.names.size()));
    };
    told_.use();
    for (size_t i = 0; i < items.meshes.size(); ++i) {
        name(told_, view.meshes[i].mesh->name);
        if (view.meshes[i].material != Material::glass) items.meshes[i].draw(gl_, sight_);
    }
    raysTold_.use();
    for (size_t i = 0; i < items.fields.size(); ++i) {
        name(raysTold_, view.liquids[i].name);
        if (items.fields[i].box().empty()) continue;
        bind(kField, GL_TEXTURE_3D, items.fields[i].texture());
        items.fields[i].tell(raysTold_);
        gl_.BindVertexArray(screen_);
        gl_.Enable(GL_CULL_FACE);
        gl_.CullFace(GL_FRONT);
        gl_.DrawArrays(GL_TRIANGLES, 0, 36);
        gl_.Disable(GL_CULL_FACE);
    }
    toldPoints_.use();
    for (size_t i = 0; i < items.points.size(); ++i) {
        name(toldPoints_, view.points[i].name);
        if (view.points[i].foam) continue;  // foam has no surface
        items.points[i].draw(gl_, sight_);
    }
    told_.use();
    for (size_t i = 0; i < items.yarns.size(); ++i) {
        name(told_, view.yarns[i].curves->name);
        items.yarns[i].draw(gl_, sight_);
    }
    if (view.ground.visible) {
        toldGround_.use();
        name(toldGround_, "ground");
        gl_.BindVertexArray(screen_);
        gl_.DrawArrays(GL_TRIANGLE_FAN, 0, 4);
    }

    const size_t count = size_t(width_) * size_t(height_);
    std::vector<Vec4> pixels(count);
    // OpenGL's rows start at the bottom.
    const auto read = [&](GLuint target, int attachment, auto&& put) {
        gl_.BindFramebuffer(GL_FRAMEBUFFER, target);
        gl_.ReadBuffer(GLenum(GL_COLOR_ATTACHMENT0 + attachment));
        gl_.ReadPixels(0, 0, width_, height_, GL_RGBA, GL_FLOAT, pixels.data());
        for (size_t y = size_t(height_); y-- > 0;)
            for (size_t x = 0; x < size_t(width_); ++x) put(pixels[y * size_t(width_) + x]);
    };
    read(lightTarget_, 0, [&](Vec4 p) { layers.light.push_back({p.x, p.y, p.z}); });
    read(toldTarget_, 0, [&](Vec4 p) {
        layers.normals.push_back({p.x, p.y, p.z});
        layers.wetness.push_back(p.w);
    });
    read(toldTarget_, 1, [&](Vec4 p) {
        layers.velocities.push_back({p.x, p.y, p.z});
        layers.ids.push_back(static_cast<int>(std::lround(p.w)));
    });
    std::vector<float> depths(count);
    gl_.ReadPixels(0, 0, width_, height_, GL_DEPTH_COMPONENT, GL_FLOAT, depths.data());
    const float n = stage.clip.x, f = stage.clip.y;
    for (size_t y = size_t(height_); y-- > 0;)
        for (size_t x = 0; x < size_t(width_); ++x) {
            const float depth = depths[y * size_t(width_) + x];
            layers.depth.push_back(depth < 1 ? 2 * n * f / (f + n - (2 * depth - 1) * (f - n))
                                             : PictureLayers::kNothing);
        }
}

}  // namespace purl
