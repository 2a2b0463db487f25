// Passes blended over the opaque scene: foam, gas, glass and ambient occlusion.
#include <algorithm>

#include "render/passItems.h"

namespace purl {

void Passes::drawFoam(const Items& items) {
    if (!items.hasFoam || !isEnabled("foam")) return;
    begin("foam", sceneTarget_, width_, height_);
    gl_.Enable(GL_DEPTH_TEST);
    blendFoam(items);
}

// Foam discs have nearly one colour, so they are blended unsorted.
void Passes::blendFoam(const Items& items) const {
    foam_.use();
    gl_.Enable(GL_BLEND);
    gl_.BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    gl_.DepthMask(GL_FALSE);
    drawPoints(items, true);
    gl_.DepthMask(GL_TRUE);
    gl_.Disable(GL_BLEND);
}

// Gas splats back to front into a single-sample layer: gas has no edges. Several gases are drawn one after the other,
// each sorted on its own.
void Passes::drawGas(const Items& items) {
    if (items.gases.empty() || !isEnabled("gas")) return;
    begin("gas", layerTarget_, width_, height_);
    gl_.Disable(GL_DEPTH_TEST);
    gl_.ClearColor(0, 0, 0, 0);
    gl_.Clear(GL_COLOR_BUFFER_BIT);
    gl_.Enable(GL_BLEND);
    gl_.BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    bind(kDepth, GL_TEXTURE_2D_MULTISAMPLE, depth_);
    gas_.use();
    for (const Drawable& gas : items.gases) gas.draw(gl_, clipFromWorld_);
    gl_.Disable(GL_BLEND);
    blendLayer(layerColor_);
}

// Transparent meshes (glass, and matte below full opacity) back to front, each with its back faces first. Where a
// liquid touches the inside of its container, the two surfaces coincide; a depth offset lets the liquid win, since
// hardly any light is reflected between glass and water.
void Passes::drawGlass(const Items& items) {
    if (items.glass.empty() || !isEnabled("glass")) return;
    float depthOffset = 0;
    for (const MeshLook& look : items.view.meshes) depthOffset = std::max(depthOffset, look.wallDistance / 3);
    for (const LiquidLook& look : items.view.liquids) depthOffset = std::max(depthOffset, look.wallDistance / 3);
    begin("glass", sceneTarget_, width_, height_);
    gl_.Enable(GL_DEPTH_TEST);
    gl_.Enable(GL_BLEND);
    gl_.DepthMask(GL_FALSE);
    for (const size_t i : items.glass) {
        const bool isGlass = items.view.meshes[i].material == Material::glass;
        gl_.BlendFuncSeparate(isGlass ? GL_ONE : GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
        const Program& program = isGlass ? glass_ : matte_;
        program.use();
        program.set("depthOffset", depthOffset);
        drawBlended(items, program, i);
        program.set("depthOffset", 0.0f);
    }
    gl_.DepthMask(GL_TRUE);
    gl_.Disable(GL_BLEND);
}

// Back faces first.
void Passes::drawBlended(const Items& items, const Program& program, size_t mesh) {
    program.use();
    const MeshLook& look = items.view.meshes[mesh];
    ++records_.back().solids;
    setLook(program, look);
    gl_.Enable(GL_CULL_FACE);
    for (const GLenum side : {GL_FRONT, GL_BACK}) {
        gl_.CullFace(side);
        if (side == GL_BACK || look.twoSided) items.meshes[mesh].draw(gl_, clipFromWorld_);
    }
    gl_.Disable(GL_CULL_FACE);
}

// Screen-space ambient occlusion of diffuse surfaces. It darkens all of a pixel's light, the key light included: an
// approximation for previews.
void Passes::drawOcclusion(const Items& items) {
    begin("occlusion", occlusionTarget_, width_, height_);
    gl_.Disable(GL_DEPTH_TEST);
    bind(kDepth, GL_TEXTURE_2D_MULTISAMPLE, depth_);
    bind(kColor, GL_TEXTURE_2D_MULTISAMPLE, color_);
    occlusion_.use();
    drawScreen();
    gl_.BindFramebuffer(GL_FRAMEBUFFER, sceneTarget_);
    bind(kOcclusion, GL_TEXTURE_2D, occlusionMap_);
    gl_.Enable(GL_BLEND);
    gl_.BlendFunc(GL_ZERO, GL_SRC_COLOR);
    occlusionBlur_.use();
    occlusionBlur_.set("strength", items.view.occlusion);
    drawScreen();
    gl_.Disable(GL_BLEND);
}

}  // namespace purl
