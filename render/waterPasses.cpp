// Passes for water: environment cube map, depth, refracted background, thickness, and shading.
#include "render/passItems.h"

namespace purl {

// Renders everything but water into a cube map around the water's centre; alpha is 0 where nothing is hit.
void Passes::drawCubeMap(const Items& items, const ViewUniforms& uniforms) {
    const Vec3 center =
        items.water.empty() ? Vec3{uniforms.focus.x, uniforms.focus.y, uniforms.focus.z} : items.water.center();
    for (int side = 0; side < kCubeSides; ++side) {
        setUniforms(cubeFaceUniforms(uniforms, center, side, kCubeTexels));
        begin("cube", cubeTargets_[side], kCubeTexels, kCubeTexels);
        gl_.ClearColor(0, 0, 0, 0);
        gl_.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        gl_.Enable(GL_DEPTH_TEST);
        if (!isEnabled("cube")) continue;
        drawSolids(items, false);
        drawTubes(items);
        drawGround(items);
    }
    setUniforms(uniforms);
    for (const Program* water : {&water_, &raysWater_}) {
        water->use();
        water->set("cubeCenter", center);
    }
    bind(kEnvironmentCube, GL_TEXTURE_CUBE_MAP, cubeMap_);
}

// Depth of the nearest water surface.
void Passes::drawFluidDepth(const Items& items) {
    begin("fluid depth", fluidTarget_, width_, height_);
    gl_.Enable(GL_DEPTH_TEST);
    gl_.Clear(GL_DEPTH_BUFFER_BIT);
    if (isEnabled("fluid depth")) drawWaterGeometry(items, fluidDepthPass_, raysDepth_);
    bind(kFluidDepth, GL_TEXTURE_2D, fluidDepth_);
}

// Renders what is behind the water, for refraction. Yarns are drawn as tubes at every size.
void Passes::drawBehindWater(const Items& items) {
    const auto only = [&](bool behind) {
        for (const Program* program :
             {&matte_, &yarn_, &wetYarn_, &fineYarn_, &wetFineYarn_, &points_, &ground_, &foam_}) {
            program->use();
            program->set("onlyBehindFluid", behind ? 1 : 0);
        }
    };
    only(true);
    if (beginWithBackground("refraction", behindTarget_)) {
        drawSolids(items, false);
        drawTubes(items);
        drawGround(items);
        if (items.hasFoam) blendFoam(items);
    }
    only(false);
    bind(kBehindColor, GL_TEXTURE_2D, behind_);
    gl_.GenerateMipmap(GL_TEXTURE_2D);
    gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    bind(kBehindDepth, GL_TEXTURE_2D, behindDepth_);
}

// Length of each eye ray inside water: distances of back faces minus those of front faces.
void Passes::drawWaterThickness(const Items& items) {
    begin("thickness", thicknessTarget_, width_, height_);
    gl_.Disable(GL_DEPTH_TEST);
    gl_.ClearColor(0, 0, 0, 0);
    gl_.Clear(GL_COLOR_BUFFER_BIT);
    gl_.Enable(GL_BLEND);
    gl_.BlendFunc(GL_ONE, GL_ONE);
    if (isEnabled("thickness")) drawWaterGeometry(items, thicknessPass_, raysThickness_);
    gl_.Disable(GL_BLEND);
    bind(kThickness, GL_TEXTURE_2D, thickness_);
}

// Draws the nearest water surface. Its shading includes the refracted background, so it is opaque and needs no sorting.
void Passes::drawWater(const Items& items) {
    begin("fluid", waterSurfaceTarget_, width_, height_);
    gl_.Enable(GL_DEPTH_TEST);
    gl_.ClearColor(0, 0, 0, 0);
    gl_.Clear(GL_COLOR_BUFFER_BIT);
    drawMeshes(items, waterSurfacePass_, Material::water);
    if (records_.back().fluids > 0) shadeWater(items);
    gl_.BindFramebuffer(GL_FRAMEBUFFER, sceneTarget_);
    marchRays(items, raysWater_);
}

// Shades once per pixel where the four samples agree, else per sample, into a single-sample layer. A depth mask selects
// the pixels: what the depth test rejects costs a software rasterizer nothing, unlike an untaken branch in the shader
// or hidden fragments under MSAA.
void Passes::shadeWater(const Items& items) {
    constexpr double kAlike = 0.25, kDiffering = 0.5;  // the values waterMask.frag writes
    bind(kWaterSurface, GL_TEXTURE_2D_MULTISAMPLE, waterSurface_);
    bind(kDepth, GL_TEXTURE_2D_MULTISAMPLE, depth_);
    bind(kLayer, GL_TEXTURE_2D, layerColor_);
    gl_.BindFramebuffer(GL_FRAMEBUFFER, layerTarget_);
    gl_.DepthFunc(GL_ALWAYS);
    waterMaskPass_.use();
    drawScreen();

    const auto shade = [&](double mask, int firstSample, int lastSample) {
        gl_.DepthRange(mask, mask);
        water_.use();
        water_.set("firstSample", firstSample);
        water_.set("lastSample", lastSample);
        for (size_t i = 0; i < items.meshes.size(); ++i) {
            if (items.view.meshes[i].material != Material::water) continue;
            setLook(water_, items.view.meshes[i]);
            water_.set("body", static_cast<int>(i) + 1);
            drawScreen();
        }
    };
    gl_.DepthFunc(GL_EQUAL);
    gl_.DepthMask(GL_FALSE);
    for (int sample = 0; sample < kMsaaSamples; ++sample) {
        gl_.BindFramebuffer(GL_FRAMEBUFFER, layerTarget_);
        gl_.Enable(GL_DEPTH_TEST);
        if (sample == 0) shade(kAlike, 0, kMsaaSamples - 1);
        shade(kDiffering, sample, sample);

        gl_.BindFramebuffer(GL_FRAMEBUFFER, sceneTarget_);
        gl_.Disable(GL_DEPTH_TEST);
        gl_.Enable(GL_SAMPLE_MASK);
        gl_.SampleMaski(0, 1u << sample);
        waterResolve_.use();
        waterResolve_.set("sampleIndex", sample);
        drawScreen();
        gl_.Disable(GL_SAMPLE_MASK);
    }
    gl_.Enable(GL_DEPTH_TEST);
    gl_.DepthRange(0, 1);
    gl_.DepthMask(GL_TRUE);
    gl_.DepthFunc(GL_LEQUAL);
}

// Draws water meshes with one program, ray-marched liquids with the other.
void Passes::drawWaterGeometry(const Items& items, const Program& mesh, const Program& rays) {
    drawMeshes(items, mesh, Material::water);
    marchRays(items, rays);
}

void Passes::marchRays(const Items& items, const Program& program) {
    program.use();
    gl_.BindVertexArray(screen_);
    gl_.Enable(GL_CULL_FACE);
    gl_.CullFace(GL_FRONT);  // back faces are visible from inside too
    for (size_t i = 0; i < items.fields.size(); ++i) {
        if (items.fields[i].box().empty()) continue;
        const LiquidLook& look = items.view.liquids[i];
        ++records_.back().fluids;
        bind(kField, GL_TEXTURE_3D, items.fields[i].texture());
        items.fields[i].setUniforms(program);
        program.set("color", look.color);
        program.set("roughness", look.roughness);
        program.set("clarity", look.clarity);
        program.set("turbidity", look.turbidity);
        program.set("wallDistance", look.wallDistance);
        gl_.DrawArrays(GL_TRIANGLES, 0, 36);
    }
    gl_.Disable(GL_CULL_FACE);
}

}  // namespace purl
