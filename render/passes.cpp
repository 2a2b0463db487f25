#include "render/passes.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "render/passItems.h"
#include "solver/core/error.h"

namespace purl {

namespace {

constexpr int kShadowTexels = 1024;

}  // namespace

Passes::Passes(const Gl& gl, int width, int height)
    : gl_(gl),
      width_(width),
      height_(height),
      shadowMesh_(gl, {"shadow.vert", "shadow.frag"}),
      shadowPoints_(gl, {"points.vert", "shadowPoints.geom", "shadowPoints.frag"}),
      background_(gl, {"screen.vert", "background.frag"}),
      ground_(gl, {"ground.vert", "ground.frag"}),
      matte_(gl, {"mesh.vert", "matte.frag"}),
      points_(gl, {"points.vert", "points.geom", "points.frag"}),
      lines_(gl, {"lines.vert", "lines.geom", "lines.frag"}),
      yarn_(gl, {"yarn.vert", "yarn.frag"}),
      fibres_(gl, {"lumislice.vert", "lumislice.frag"}),
      wetYarn_(gl, {"yarn.vert", "yarn.frag"}, {"WET"}),
      fineYarn_(gl, {"yarn.vert", "yarn.frag"}, {"FINE"}),
      wetFineYarn_(gl, {"yarn.vert", "yarn.frag"}, {"FINE", "WET"}),
      wetFibres_(gl, {"lumislice.vert", "lumislice.frag"}, {"WET"}),
      fluidDepthPass_(gl, {"mesh.vert", "shadow.frag"}),
      thicknessPass_(gl, {"mesh.vert", "thickness.frag"}),
      waterSurfacePass_(gl, {"mesh.vert", "waterSurface.frag"}),
      waterMaskPass_(gl, {"screen.vert", "waterMask.frag"}),
      water_(gl, {"screen.vert", "water.frag"}),
      waterResolve_(gl, {"screen.vert", "waterResolve.frag"}),
      farthestDepth_(gl, {"screen.vert", "farthestDepth.frag"}),
      blendLayer_(gl, {"screen.vert", "blendLayer.frag"}),
      foam_(gl, {"points.vert", "foam.geom", "foam.frag"}),
      gas_(gl, {"gas.vert", "gas.geom", "gas.frag"}),
      glass_(gl, {"mesh.vert", "glass.frag"}),
      occlusion_(gl, {"screen.vert", "occlusion.frag"}),
      occlusionBlur_(gl, {"screen.vert", "occlusionBlur.frag"}),
      tonemap_(gl, {"screen.vert", "tonemap.frag"}),
      composite_(gl, {"screen.vert", "composite.frag"}),
      gbuffer_(gl, {"gbuffer.vert", "gbuffer.frag"}),
      gbufferPoints_(gl, {"points.vert", "points.geom", "gbufferPoints.frag"}),
      gbufferGround_(gl, {"ground.vert", "gbufferGround.frag"}),
      field_(gl, {"points.vert", "field.geom", "field.frag"}),
      raysDepth_(gl, {"rays.vert", "raysDepth.frag"}),
      raysThickness_(gl, {"rays.vert", "raysThickness.frag"}),
      raysWater_(gl, {"rays.vert", "raysWater.frag"}),
      raysGbuffer_(gl, {"rays.vert", "raysGbuffer.frag"}),
      screen_(makeVertexArray(gl)),
      uniforms_(makeBuffer(gl, GL_UNIFORM_BUFFER, nullptr, sizeof(ViewUniforms))),
      solidShadow_(makeShadowMaps(gl, kShadowTexels, kCascades)),
      waterShadow_(makeShadowMaps(gl, kShadowTexels, kCascades)),
      color_(makeTexture(gl, GL_RGBA16F, width, height, kMsaaSamples)),
      depth_(makeTexture(gl, GL_DEPTH_COMPONENT32F, width, height, kMsaaSamples)),
      cubeMap_(makeCube(gl, GL_RGBA16F, kCubeTexels)),
      cubeDepth_(makeTexture(gl, GL_DEPTH_COMPONENT32F, kCubeTexels, kCubeTexels)),
      fluidDepth_(makeTexture(gl, GL_DEPTH_COMPONENT32F, width, height)),
      behind_(makeTexture(gl, GL_RGBA16F, width, height)),
      behindDepth_(makeTexture(gl, GL_DEPTH_COMPONENT32F, width, height)),
      thickness_(makeTexture(gl, GL_RGBA32F, width, height)),
      waterSurface_(makeTexture(gl, GL_RGBA16F, width, height, kMsaaSamples)),
      waterSurfaceTarget_(makeTarget(gl, waterSurface_, depth_, kMsaaSamples)),
      bitonic_(gl),
      hardwareRenderer_(isHardwareRenderer(gl)),
      layerColor_(makeTexture(gl, GL_RGBA16F, width, height)),
      layerDepth_(makeTexture(gl, GL_DEPTH_COMPONENT32F, width, height)),
      occlusionMap_(makeTexture(gl, GL_R16F, width, height)),
      occlusionTarget_(makeTarget(gl, occlusionMap_, 0)),
      sceneTarget_(makeTarget(gl, color_, depth_, kMsaaSamples)),
      layerTarget_(makeTarget(gl, layerColor_, layerDepth_)),
      fluidTarget_(makeTarget(gl, 0, fluidDepth_)),
      behindTarget_(makeTarget(gl, behind_, behindDepth_)),
      thicknessTarget_(makeTarget(gl, thickness_, 0)) {
    for (int i = 0; i < kCascades; ++i) {
        solidShadowTargets_.push_back(makeShadowTarget(gl, solidShadow_, i));
        waterShadowTargets_.push_back(makeShadowTarget(gl, waterShadow_, i));
    }
    for (int i = 0; i < kCubeSides; ++i) cubeTargets_.push_back(makeCubeTarget(gl, cubeMap_, i, cubeDepth_));
    setUnits();
    std::tie(quadArray_, quadVertices_, quadIndices_) = makeQuadBuffers(gl, kMaxQuadsPerDraw);
}

// The lighting shaders are specialised for being under water at compile time.
void Passes::compileFor(const Medium& medium) {
    const bool submerged = medium.visibility > 0;
    if (submerged == submerged_) return;
    submerged_ = submerged;
    const std::vector<std::string> word(submerged ? 1 : 0, "UNDER_WATER");
    const auto with = [&](std::vector<std::string> words) {
        words.insert(words.end(), word.begin(), word.end());
        return words;
    };
    background_ = Program(gl_, {"screen.vert", "background.frag"}, word);
    ground_ = Program(gl_, {"ground.vert", "ground.frag"}, word);
    matte_ = Program(gl_, {"mesh.vert", "matte.frag"}, word);
    points_ = Program(gl_, {"points.vert", "points.geom", "points.frag"}, word);
    yarn_ = Program(gl_, {"yarn.vert", "yarn.frag"}, word);
    fibres_ = Program(gl_, {"lumislice.vert", "lumislice.frag"}, word);
    fineYarn_ = Program(gl_, {"yarn.vert", "yarn.frag"}, with({"FINE"}));
    const std::vector<std::string> wet = with({"WET"});
    wetYarn_ = Program(gl_, {"yarn.vert", "yarn.frag"}, wet);
    wetFineYarn_ = Program(gl_, {"yarn.vert", "yarn.frag"}, with({"FINE", "WET"}));
    wetFibres_ = Program(gl_, {"lumislice.vert", "lumislice.frag"}, wet);
    foam_ = Program(gl_, {"points.vert", "foam.geom", "foam.frag"}, word);
    gas_ = Program(gl_, {"gas.vert", "gas.geom", "gas.frag"}, word);
    glass_ = Program(gl_, {"mesh.vert", "glass.frag"}, word);
    water_ = Program(gl_, {"screen.vert", "water.frag"}, word);
    raysWater_ = Program(gl_, {"rays.vert", "raysWater.frag"}, word);
    setUnits();
}

void Passes::setUnits() const {
    for (const Program* program :
         {&waterMaskPass_, &waterResolve_,  &background_,    &ground_,     &matte_,         &gbufferPoints_,
          &foam_,          &gas_,           &glass_,         &occlusion_,  &occlusionBlur_, &points_,
          &yarn_,          &fibres_,        &wetYarn_,       &wetFibres_,  &water_,         &thicknessPass_,
          &fineYarn_,      &wetFineYarn_,   &farthestDepth_, &blendLayer_, &tonemap_,       &composite_,
          &raysDepth_,     &raysThickness_, &raysWater_,     &raysGbuffer_}) {
        program->use();
        program->set("solidShadow", kSolidShadow);
        program->set("waterShadow", kWaterShadow);
        program->set("behindColor", kBehindColor);
        program->set("behindDepth", kBehindDepth);
        program->set("fluidDepth", kFluidDepth);
        program->set("thickness", kThickness);
        program->set("environmentCube", kEnvironmentCube);
        program->set("colorSamples", kColor);
        program->set("slice", kSlice);
        program->set("depthSamples", kDepth);
        program->set("layer", kLayer);
        program->set("panorama", kPanorama);
        program->set("occlusion", kOcclusion);
        program->set("field", kField);
        program->set("waterSurface", kWaterSurface);
    }
}

void Passes::draw(const View& view, GLuint framebuffer, Aovs* aovs) {
    compositing_ = false;
    begin(view);
    const ViewUniforms uniforms = makeViewUniforms(view, width_, height_, kShadowTexels);
    const Items items(gl_, field_, view, uniforms.focus.w, height_, aovs != nullptr);
    drawScene(items, uniforms);
    tonemap(framebuffer);
    if (aovs) renderAovs(items, uniforms, *aovs);
    startTimer(nullptr);
}

void Passes::drawOver(const View& view, const CompositeTarget& target) {
    compositing_ = true;
    begin(view);
    const ViewUniforms uniforms = makeViewUniforms(view, width_, height_, kShadowTexels);
    const Items items(gl_, field_, view, uniforms.focus.w, height_, false);
    drawScene(items, uniforms);
    composite(target);
    startTimer(nullptr);
}

void Passes::begin(const View& view) {
    records_.clear();
    times_.clear();
    without_ = view.without;
    compileFor(view.medium);
    gl_.DepthFunc(GL_LEQUAL);
    startTimer("upload");
}

// Pass order after Güdükbay 6.4.
void Passes::drawScene(const Items& items, const ViewUniforms& uniforms) {
    setSky(items.view.sky);
    setUniforms(uniforms);
    for (const Program* water : {&water_, &raysWater_}) {
        water->use();
        water->set("coverageAlpha", compositing_ ? 1 : 0);
    }

    drawShadows(items, uniforms);
    bind(kSolidShadow, GL_TEXTURE_2D_ARRAY, solidShadow_);
    bind(kWaterShadow, GL_TEXTURE_2D_ARRAY, waterShadow_);
    if (items.hasWater) {
        drawCubeMap(items, uniforms);
        drawFluidDepth(items);
        drawBehindWater(items);
        drawWaterThickness(items);
    }
    drawEnvironment(items);
    if (items.hasWater && isEnabled("fluid")) drawWater(items);
    if (!items.yarns.empty() && isEnabled("knit")) drawKnits(items);
    if (items.view.occlusion > 0 && isEnabled("occlusion") && !compositing_) drawOcclusion(items);
    drawFoam(items);
    drawGas(items);
    drawGlass(items);
}

// Uploads the environment map with mip levels, which rough reflections sample.
void Passes::setSky(const Sky& sky) {
    if (sky.environment != sky_ && sky.environment) {
        const Panorama& panorama = sky.environment->panorama;
        gl_.ActiveTexture(GLenum(GL_TEXTURE0 + kPanorama));
        GLint maxSide = 0;
        gl_.GetIntegerv(GL_MAX_TEXTURE_SIZE, &maxSide);
        if (panorama.width > maxSide || panorama.height > maxSide)
            throw Error("the sky image has " + std::to_string(panorama.width) + " by " +
                        std::to_string(panorama.height) + " pixels; this OpenGL takes " + std::to_string(maxSide) +
                        " a side; scale the image down");
        panorama_ = makeTexture(gl_, GL_RGB16F, panorama.width, panorama.height);
        // Larger values would become infinite, and so would all that reflects them.
        constexpr float kMaxHalf = 65504;
        std::vector<Vec3> row(size_t(panorama.width));
        for (int y = 0; y < panorama.height; ++y) {
            const auto first = panorama.light.begin() + std::ptrdiff_t(y) * panorama.width;
            std::transform(first, first + panorama.width, row.begin(), [](Vec3 light) {
                return min(light, {kMaxHalf, kMaxHalf, kMaxHalf});
            });
            gl_.TexSubImage2D(GL_TEXTURE_2D, 0, 0, y, panorama.width, 1, GL_RGB, GL_FLOAT, row.data());
        }
        gl_.GenerateMipmap(GL_TEXTURE_2D);
        gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
        gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
    }
    sky_ = sky.environment;
    if (sky_) bind(kPanorama, GL_TEXTURE_2D, panorama_);
}

void Passes::setUniforms(const ViewUniforms& uniforms) {
    clipFromWorld_ = uniforms.clipFromView * uniforms.viewFromWorld;
    gl_.BindBuffer(GL_UNIFORM_BUFFER, uniforms_);
    gl_.BufferData(GL_UNIFORM_BUFFER, sizeof uniforms, &uniforms, GL_DYNAMIC_DRAW);
    gl_.BindBufferBase(GL_UNIFORM_BUFFER, 0, uniforms_);
}

// Shadow maps of the key light: opaque casters, and water, which only attenuates.
void Passes::drawShadows(const Items& items, const ViewUniforms& uniforms) {
    gl_.Enable(GL_DEPTH_TEST);
    gl_.Enable(GL_POLYGON_OFFSET_FILL);
    gl_.PolygonOffset(1.5f, 2.0f);
    const Mat4 cameraMatrix = clipFromWorld_;
    const auto cascades = static_cast<size_t>(std::min(std::max(items.view.cascades, 1), kCascades));
    for (size_t i = 0; i < cascades; ++i) {
        clipFromWorld_ = uniforms.shadowFromWorld[i];
        for (const Program* program : {&shadowPoints_, &shadowMesh_}) {
            program->use();
            program->set("cascade", static_cast<int>(i));
        }
        if (items.hasWater) {
            begin("water shadow", waterShadowTargets_[i], kShadowTexels, kShadowTexels);
            gl_.Clear(GL_DEPTH_BUFFER_BIT);
            if (isEnabled("water shadow")) {
                drawMeshes(items, shadowMesh_, Material::water);
                shadowPoints_.use();
                for (const LiquidField& field : items.fields) field.particles().draw(gl_, clipFromWorld_);
            }
        }
        begin("shadow", solidShadowTargets_[i], kShadowTexels, kShadowTexels);
        gl_.Clear(GL_DEPTH_BUFFER_BIT);
        if (!isEnabled("shadow")) continue;
        drawMeshes(items, shadowMesh_, Material::matte);
        gl_.Enable(GL_CULL_FACE);  // tubes are closed meshes
        gl_.CullFace(GL_BACK);
        for (const Drawable& yarn : items.yarns) {
            yarn.draw(gl_, clipFromWorld_);
            ++records_.back().yarns;
        }
        gl_.Disable(GL_CULL_FACE);
        shadowPoints_.use();
        drawPoints(items, false);
    }
    gl_.Disable(GL_POLYGON_OFFSET_FILL);
    clipFromWorld_ = cameraMatrix;
}

// Opaque items except knits.
void Passes::drawEnvironment(const Items& items) {
    if (compositing_) {
        begin("environment", sceneTarget_, width_, height_);
        gl_.Enable(GL_DEPTH_TEST);
        gl_.ClearColor(0, 0, 0, 0);
        gl_.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        if (!isEnabled("environment")) return;
    } else if (!beginWithBackground("environment", sceneTarget_)) {
        return;
    }
    drawSolids(items, true);
    drawGround(items);
}

// Returns false if the pass is disabled; the target is then black.
bool Passes::beginWithBackground(const char* pass, GLuint target) {
    begin(pass, target, width_, height_);
    gl_.Enable(GL_DEPTH_TEST);
    gl_.ClearColor(0, 0, 0, 1);
    gl_.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    if (!isEnabled(pass)) return false;
    gl_.Disable(GL_DEPTH_TEST);
    background_.use();
    drawScreen();
    gl_.Enable(GL_DEPTH_TEST);
    return true;
}

void Passes::drawSolids(const Items& items, bool alphaToCoverage) {
    drawMeshes(items, matte_, Material::matte);
    if (alphaToCoverage) gl_.Enable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    if (compositing_) gl_.Enable(GL_SAMPLE_ALPHA_TO_ONE);
    points_.use();
    drawPoints(items, false);
    gl_.Disable(GL_SAMPLE_ALPHA_TO_ONE);
    gl_.Disable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    lines_.use();
    for (size_t i = 0; i < items.lines.size(); ++i) {
        lines_.set("color", items.view.lines[i].color);
        lines_.set("width", items.view.lines[i].width);
        items.lines[i].draw(gl_, clipFromWorld_);
    }
}

// Drawn after the other opaque items, so that hidden fragments are rejected early. It fades out with distance by alpha
// blending.
void Passes::drawGround(const Items& items) const {
    if (!items.view.ground.visible) return;
    gl_.Enable(GL_BLEND);
    gl_.BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    ground_.use();
    gl_.BindVertexArray(screen_);
    gl_.DrawArrays(GL_TRIANGLE_FAN, 0, 4);
    gl_.Disable(GL_BLEND);
}

// Blends a layer with premultiplied alpha over the scene.
void Passes::blendLayer(GLuint layer) {
    gl_.BindFramebuffer(GL_FRAMEBUFFER, sceneTarget_);
    gl_.Disable(GL_DEPTH_TEST);
    gl_.Enable(GL_BLEND);
    gl_.BlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    bind(kLayer, GL_TEXTURE_2D, layer);
    blendLayer_.use();
    drawScreen();
    gl_.Disable(GL_BLEND);
}

void Passes::drawPoints(const Items& items, bool foam) const {
    for (size_t i = 0; i < items.points.size(); ++i)
        if (items.view.points[i].foam == foam) items.points[i].draw(gl_, clipFromWorld_);
}

// Tone mapping and sRGB encoding, per sample before the resolve, so that bright edges stay antialiased.
void Passes::tonemap(GLuint framebuffer) {
    begin("develop", framebuffer, width_, height_);
    gl_.Disable(GL_DEPTH_TEST);
    bind(kColor, GL_TEXTURE_2D_MULTISAMPLE, color_);
    tonemap_.use();
    tonemap_.set("linearOutput", 0);
    drawScreen();
}

// Tone maps and composites over a host image, with its depth test.
void Passes::composite(const CompositeTarget& target) {
    begin("composite", target.framebuffer, width_, height_);
    gl_.Viewport(target.x, target.y, width_, height_);
    gl_.Enable(GL_DEPTH_TEST);
    gl_.Enable(GL_BLEND);
    gl_.BlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    bind(kColor, GL_TEXTURE_2D_MULTISAMPLE, color_);
    bind(kDepth, GL_TEXTURE_2D_MULTISAMPLE, depth_);
    const float* m = target.clipFromView.m;
    composite_.use();
    composite_.set("corner", Vec3{float(target.x), float(target.y), 0});
    composite_.set("depthClip", Vec3{m[10], m[14], m[11]});
    composite_.set("depthOne", m[15]);
    composite_.set("eyeOffset", target.eyeOffset);
    drawScreen();
    gl_.Disable(GL_BLEND);
}

void Passes::startTimer(const char* phase) {
    if (!timing_) return;
    gl_.Finish();
    const auto now = std::chrono::steady_clock::now();
    if (!phase_.empty()) {
        auto time = std::find_if(times_.begin(), times_.end(), [&](const PassTime& t) { return t.name == phase_; });
        if (time == times_.end()) time = times_.insert(times_.end(), {phase_});
        time->seconds += std::chrono::duration<double>(now - since_).count();
    }
    phase_ = phase ? phase : "";
    since_ = now;
}

void Passes::begin(const char* pass, GLuint target, int width, int height) {
    startTimer(pass);
    records_.push_back({pass});
    gl_.BindFramebuffer(GL_FRAMEBUFFER, target);
    gl_.Viewport(0, 0, width, height);
}

void Passes::setLook(const Program& program, const MeshLook& look) {
    program.set("color", look.color);
    program.set("roughness", look.roughness);
    program.set("opacity", look.opacity);
    program.set("glow", look.glow);
    program.set("clarity", look.clarity);
    program.set("turbidity", look.turbidity);
    program.set("wallDistance", look.wallDistance);
}

// Draws all opaque or refractive meshes of a material.
void Passes::drawMeshes(const Items& items, const Program& program, Material material) {
    program.use();
    for (size_t i = 0; i < items.meshes.size(); ++i) {
        const MeshLook& look = items.view.meshes[i];
        if (look.material != material || (material == Material::matte && look.opacity < 1)) continue;
        ++(material == Material::water ? records_.back().fluids : records_.back().solids);
        setLook(program, look);
        program.set("body", static_cast<int>(i) + 1);
        const bool cull =
            (&program == &waterSurfacePass_ && !items.underWater) || (material == Material::matte && !look.twoSided);
        gl_.CullFace(GL_BACK);
        if (cull) gl_.Enable(GL_CULL_FACE);
        items.meshes[i].draw(gl_, clipFromWorld_);
        gl_.Disable(GL_CULL_FACE);
    }
}

void Passes::drawScreen() const {
    gl_.BindVertexArray(screen_);
    gl_.DrawArrays(GL_TRIANGLES, 0, 3);
}

void Passes::bind(int unit, GLenum kind, GLuint texture) const {
    gl_.ActiveTexture(GLenum(GL_TEXTURE0 + unit));
    gl_.BindTexture(kind, texture);
}

}  // namespace purl
