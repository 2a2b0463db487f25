// The AOV pass: renders and reads back the channels of EXR files.
#include <cmath>

#include "render/passItems.h"

namespace purl {

// Fills the AOVs: linear beauty, and a G-buffer of the nearest surface. Yarn is rendered as tubes.
void Passes::renderAovs(const Items& items, const ViewUniforms& uniforms, Aovs& aovs) {
    if (!gbufferTarget_) {
        beauty_ = makeTexture(gl_, GL_RGBA32F, width_, height_);
        normalWetness_ = makeTexture(gl_, GL_RGBA32F, width_, height_);
        velocityId_ = makeTexture(gl_, GL_RGBA32F, width_, height_);
        gbufferDepth_ = makeTexture(gl_, GL_DEPTH_COMPONENT32F, width_, height_);
        beautyTarget_ = makeTarget(gl_, beauty_, 0);
        gbufferTarget_ = makeTargets(gl_, {normalWetness_, velocityId_}, gbufferDepth_);
    }
    aovs = {};
    aovs.width = width_;
    aovs.height = height_;
    begin("layers", beautyTarget_, width_, height_);
    tonemap_.set("linearOutput", 1);
    drawScreen();

    gl_.BindFramebuffer(GL_FRAMEBUFFER, gbufferTarget_);
    gl_.Enable(GL_DEPTH_TEST);
    gl_.ClearColor(0, 0, 0, 0);
    gl_.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    const View& view = items.view;
    const auto setId = [&](const Program& program, const std::string& item) {
        aovs.names.push_back(item);
        program.set("id", static_cast<int>(aovs.names.size()));
    };
    gbuffer_.use();
    for (size_t i = 0; i < items.meshes.size(); ++i) {
        setId(gbuffer_, view.meshes[i].mesh->name);
        if (view.meshes[i].material != Material::glass) items.meshes[i].draw(gl_, clipFromWorld_);
    }
    raysGbuffer_.use();
    for (size_t i = 0; i < items.fields.size(); ++i) {
        setId(raysGbuffer_, view.liquids[i].name);
        if (items.fields[i].box().empty()) continue;
        bind(kField, GL_TEXTURE_3D, items.fields[i].texture());
        items.fields[i].setUniforms(raysGbuffer_);
        gl_.BindVertexArray(screen_);
        gl_.Enable(GL_CULL_FACE);
        gl_.CullFace(GL_FRONT);
        gl_.DrawArrays(GL_TRIANGLES, 0, 36);
        gl_.Disable(GL_CULL_FACE);
    }
    gbufferPoints_.use();
    for (size_t i = 0; i < items.points.size(); ++i) {
        setId(gbufferPoints_, view.points[i].name);
        if (view.points[i].foam) continue;  // foam has no surface
        items.points[i].draw(gl_, clipFromWorld_);
    }
    gbuffer_.use();
    for (size_t i = 0; i < items.yarns.size(); ++i) {
        setId(gbuffer_, view.yarns[i].curves->name);
        items.yarns[i].draw(gl_, clipFromWorld_);
    }
    if (view.ground.visible) {
        gbufferGround_.use();
        setId(gbufferGround_, "ground");
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
    read(beautyTarget_, 0, [&](Vec4 p) { aovs.beauty.push_back({p.x, p.y, p.z}); });
    read(gbufferTarget_, 0, [&](Vec4 p) {
        aovs.normals.push_back({p.x, p.y, p.z});
        aovs.wetness.push_back(p.w);
    });
    read(gbufferTarget_, 1, [&](Vec4 p) {
        aovs.velocities.push_back({p.x, p.y, p.z});
        aovs.ids.push_back(static_cast<int>(std::lround(p.w)));
    });
    std::vector<float> depths(count);
    gl_.ReadPixels(0, 0, width_, height_, GL_DEPTH_COMPONENT, GL_FLOAT, depths.data());
    const float n = uniforms.clipRange.x, f = uniforms.clipRange.y;
    for (size_t y = size_t(height_); y-- > 0;)
        for (size_t x = 0; x < size_t(width_); ++x) {
            const float depth = depths[y * size_t(width_) + x];
            aovs.depth.push_back(depth < 1 ? 2 * n * f / (f + n - (2 * depth - 1) * (f - n)) : Aovs::kEmptyDepth);
        }
}

}  // namespace purl
