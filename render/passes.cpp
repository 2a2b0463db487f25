#include "render/passes.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "render/lumislice.h"
#include "render/passItems.h"

namespace purl {

namespace {

constexpr int kSamples = 4;
constexpr int kShadowTexels = 1024;
constexpr int kCubeTexels = 256;

constexpr int kQuadsAtOnce = 1 << 16;

constexpr float kFinePixels = 3;  // tubes below this radius (pixels) have vertices about a pixel apart

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
      waterLay_(gl, {"screen.vert", "waterLay.frag"}),
      farthest_(gl, {"screen.vert", "farthest.frag"}),
      over_(gl, {"screen.vert", "over.frag"}),
      foam_(gl, {"points.vert", "foam.geom", "foam.frag"}),
      gas_(gl, {"gas.vert", "gas.geom", "gas.frag"}),
      glass_(gl, {"mesh.vert", "glass.frag"}),
      occlusion_(gl, {"screen.vert", "occlusion.frag"}),
      smooth_(gl, {"screen.vert", "smooth.frag"}),
      develop_(gl, {"screen.vert", "develop.frag"}),
      lay_(gl, {"screen.vert", "lay.frag"}),
      told_(gl, {"told.vert", "told.frag"}),
      toldPoints_(gl, {"points.vert", "points.geom", "toldPoints.frag"}),
      toldGround_(gl, {"ground.vert", "toldGround.frag"}),
      field_(gl, {"points.vert", "field.geom", "field.frag"}),
      raysDepth_(gl, {"rays.vert", "raysDepth.frag"}),
      raysThickness_(gl, {"rays.vert", "raysThickness.frag"}),
      raysWater_(gl, {"rays.vert", "raysWater.frag"}),
      raysTold_(gl, {"rays.vert", "raysTold.frag"}),
      screen_(makeVertexArray(gl)),
      stage_(makeBuffer(gl, GL_UNIFORM_BUFFER, nullptr, sizeof(Stage))),
      solidShadow_(makeShadowMaps(gl, kShadowTexels, kCascades)),
      waterShadow_(makeShadowMaps(gl, kShadowTexels, kCascades)),
      color_(makeTexture(gl, GL_RGBA16F, width, height, kSamples)),
      depth_(makeTexture(gl, GL_DEPTH_COMPONENT32F, width, height, kSamples)),
      cube_(makeCube(gl, GL_RGBA16F, kCubeTexels)),
      cubeDepth_(makeTexture(gl, GL_DEPTH_COMPONENT32F, kCubeTexels, kCubeTexels)),
      fluidDepth_(makeTexture(gl, GL_DEPTH_COMPONENT32F, width, height)),
      behind_(makeTexture(gl, GL_RGBA16F, width, height)),
      behindDepth_(makeTexture(gl, GL_DEPTH_COMPONENT32F, width, height)),
      thickness_(makeTexture(gl, GL_RGBA32F, width, height)),
      waterSurface_(makeTexture(gl, GL_RGBA16F, width, height, kSamples)),
      waterSurfaceTarget_(makeTarget(gl, waterSurface_, depth_, kSamples)),
      bitonic_(gl),
      hardware_(isHardware(gl)),
      fibreLayer_(makeTexture(gl, GL_RGBA16F, width, height)),
      fibreDepth_(makeTexture(gl, GL_DEPTH_COMPONENT32F, width, height)),
      shade_(makeTexture(gl, GL_R16F, width, height)),
      shadeTarget_(makeTarget(gl, shade_, 0)),
      sceneTarget_(makeTarget(gl, color_, depth_, kSamples)),
      fibreTarget_(makeTarget(gl, fibreLayer_, fibreDepth_)),
      fluidTarget_(makeTarget(gl, 0, fluidDepth_)),
      behindTarget_(makeTarget(gl, behind_, behindDepth_)),
      thicknessTarget_(makeTarget(gl, thickness_, 0)) {
    for (int i = 0; i < kCascades; ++i) {
        solidShadowTargets_.push_back(makeShadowTarget(gl, solidShadow_, i));
        waterShadowTargets_.push_back(makeShadowTarget(gl, waterShadow_, i));
    }
    for (int i = 0; i < kCubeSides; ++i) cubeTargets_.push_back(makeCubeTarget(gl, cube_, i, cubeDepth_));
    setUnits();
    std::tie(quadArray_, quadVertices_, quadIndices_) = makeQuads(gl, kQuadsAtOnce);
}

// The lighting shaders are specialised for being under water at compile time.
void Passes::prepareFor(const Medium& medium) {
    const bool sunk = medium.visibility > 0;
    if (sunk == sunk_) return;
    sunk_ = sunk;
    const std::vector<std::string> word(sunk ? 1 : 0, "UNDER_WATER");
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
         {&waterMaskPass_, &waterLay_,  &background_, &ground_,        &matte_,         &toldPoints_,  &foam_,
          &gas_,           &glass_,     &occlusion_,  &smooth_,        &points_,        &yarn_,        &fibres_,
          &wetYarn_,       &wetFibres_, &water_,      &thicknessPass_, &fineYarn_,      &wetFineYarn_, &farthest_,
          &over_,          &develop_,   &lay_,        &raysDepth_,     &raysThickness_, &raysWater_,   &raysTold_}) {
        program->use();
        program->set("solidShadow", kSolidShadow);
        program->set("waterShadow", kWaterShadow);
        program->set("behind", kBehind);
        program->set("behindDepth", kBehindDepth);
        program->set("fluidDepth", kFluidDepth);
        program->set("thickness", kThickness);
        program->set("surroundings", kSurroundings);
        program->set("colorSamples", kColor);
        program->set("slice", kSlice);
        program->set("depthSamples", kDepth);
        program->set("fibres", kFibres);
        program->set("panorama", kPanorama);
        program->set("occlusion", kShade);
        program->set("field", kField);
        program->set("waterSurface", kWaterSurface);
    }
}

void Passes::draw(const View& view, GLuint framebuffer, PictureLayers* layers) {
    layered_ = false;
    begin(view);
    const Stage stage = purl::setStage(view, width_, height_, kShadowTexels);
    const Items items(gl_, field_, view, stage.focus.w, height_, layers != nullptr);
    drawLight(items, stage);
    develop(framebuffer);
    if (layers) tell(items, stage, *layers);
    count(nullptr);
}

void Passes::drawOver(const View& view, const Underlay& under) {
    layered_ = true;
    begin(view);
    const Stage stage = purl::setStage(view, width_, height_, kShadowTexels);
    const Items items(gl_, field_, view, stage.focus.w, height_, false);
    drawLight(items, stage);
    lay(under);
    count(nullptr);
}

void Passes::begin(const View& view) {
    records_.clear();
    times_.clear();
    without_ = view.without;
    prepareFor(view.medium);
    gl_.DepthFunc(GL_LEQUAL);
    count("upload");
}

// Pass order after Güdükbay 6.4.
void Passes::drawLight(const Items& items, const Stage& stage) {
    setSky(items.view.sky);
    setStage(stage);
    for (const Program* water : {&water_, &raysWater_}) {
        water->use();
        water->set("layered", layered_ ? 1 : 0);
    }

    drawShadows(items, stage);
    bind(kSolidShadow, GL_TEXTURE_2D_ARRAY, solidShadow_);
    bind(kWaterShadow, GL_TEXTURE_2D_ARRAY, waterShadow_);
    if (items.hasWater) {
        drawSurroundings(items, stage);
        measureFluid(items);
        drawBehind(items);
        measureWater(items);
    }
    drawEnvironment(items);
    if (items.hasWater && isWanted("fluid")) drawWater(items);
    if (!items.yarns.empty() && isWanted("knit")) drawKnits(items);
    if (items.view.occlusion > 0 && isWanted("occlusion") && !layered_) drawOcclusion(items);
    drawFoam(items);
    drawGas(items);
    drawGlass(items);
}

// Uploads the environment map with mip levels, which rough reflections sample.
void Passes::setSky(const Sky& sky) {
    if (sky.picture != sky_ && sky.picture) {
        const Panorama& panorama = sky.picture->panorama;
        gl_.ActiveTexture(GLenum(GL_TEXTURE0 + kPanorama));
        panorama_ = makeTexture(gl_, GL_RGBA16F, panorama.width, panorama.height);
        gl_.TexImage2D(GL_TEXTURE_2D, 0, GL_RGB16F, panorama.width, panorama.height, 0, GL_RGB, GL_FLOAT,
                       panorama.light.data());
        gl_.GenerateMipmap(GL_TEXTURE_2D);
        gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
        gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
    }
    sky_ = sky.picture;
    if (sky_) bind(kPanorama, GL_TEXTURE_2D, panorama_);
}

void Passes::setStage(const Stage& stage) {
    sight_ = stage.clipFromView * stage.viewFromWorld;
    gl_.BindBuffer(GL_UNIFORM_BUFFER, stage_);
    gl_.BufferData(GL_UNIFORM_BUFFER, sizeof stage, &stage, GL_DYNAMIC_DRAW);
    gl_.BindBufferBase(GL_UNIFORM_BUFFER, 0, stage_);
}

// Shadow maps of the key light: opaque casters, and water, which only attenuates.
void Passes::drawShadows(const Items& items, const Stage& stage) {
    gl_.Enable(GL_DEPTH_TEST);
    gl_.Enable(GL_POLYGON_OFFSET_FILL);
    gl_.PolygonOffset(1.5f, 2.0f);
    const Mat4 eyes = sight_;
    const auto cascades = static_cast<size_t>(std::min(std::max(items.view.cascades, 1), kCascades));
    for (size_t i = 0; i < cascades; ++i) {
        sight_ = stage.shadowFromWorld[i];
        for (const Program* program : {&shadowPoints_, &shadowMesh_}) {
            program->use();
            program->set("cascade", static_cast<int>(i));
        }
        if (items.hasWater) {
            begin("water shadow", waterShadowTargets_[i], kShadowTexels, kShadowTexels);
            gl_.Clear(GL_DEPTH_BUFFER_BIT);
            if (isWanted("water shadow")) {
                drawMeshes(items, shadowMesh_, Material::water);
                shadowPoints_.use();
                for (const LiquidField& field : items.fields) field.particles().draw(gl_, sight_);
            }
        }
        begin("shadow", solidShadowTargets_[i], kShadowTexels, kShadowTexels);
        gl_.Clear(GL_DEPTH_BUFFER_BIT);
        if (!isWanted("shadow")) continue;
        drawMeshes(items, shadowMesh_, Material::matte);
        gl_.Enable(GL_CULL_FACE);  // tubes are closed meshes
        gl_.CullFace(GL_BACK);
        for (const Drawable& yarn : items.yarns) {
            yarn.draw(gl_, sight_);
            ++records_.back().yarns;
        }
        gl_.Disable(GL_CULL_FACE);
        shadowPoints_.use();
        drawPoints(items, false);
    }
    gl_.Disable(GL_POLYGON_OFFSET_FILL);
    sight_ = eyes;
}

// Renders everything but water into a cube map around the water's centre; alpha is 0 where nothing is hit.
void Passes::drawSurroundings(const Items& items, const Stage& stage) {
    const Vec3 center = items.water.empty() ? Vec3{stage.focus.x, stage.focus.y, stage.focus.z} : items.water.center();
    for (int side = 0; side < kCubeSides; ++side) {
        setStage(seenFrom(stage, center, side, kCubeTexels));
        begin("cube", cubeTargets_[size_t(side)], kCubeTexels, kCubeTexels);
        gl_.ClearColor(0, 0, 0, 0);
        gl_.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        gl_.Enable(GL_DEPTH_TEST);
        if (!isWanted("cube")) continue;
        drawSolids(items, false);
        drawTubes(items);
        drawGround(items);
    }
    setStage(stage);
    for (const Program* water : {&water_, &raysWater_}) {
        water->use();
        water->set("cubeCenter", center);
    }
    bind(kSurroundings, GL_TEXTURE_CUBE_MAP, cube_);
}

// Depth of the nearest water surface.
void Passes::measureFluid(const Items& items) {
    begin("fluid depth", fluidTarget_, width_, height_);
    gl_.Enable(GL_DEPTH_TEST);
    gl_.Clear(GL_DEPTH_BUFFER_BIT);
    if (isWanted("fluid depth")) drawWaters(items, fluidDepthPass_, raysDepth_);
    bind(kFluidDepth, GL_TEXTURE_2D, fluidDepth_);
}

// Renders what is behind the water, for refraction. Yarns are drawn as tubes at every size.
void Passes::drawBehind(const Items& items) {
    const auto only = [&](bool behind) {
        for (const Program* program :
             {&matte_, &yarn_, &wetYarn_, &fineYarn_, &wetFineYarn_, &points_, &ground_, &foam_}) {
            program->use();
            program->set("onlyBehindFluid", behind ? 1 : 0);
        }
    };
    only(true);
    if (beginWithBackdrop("refraction", behindTarget_)) {
        drawSolids(items, false);
        drawTubes(items);
        drawGround(items);
        if (items.hasFoam) blendFoam(items);
    }
    only(false);
    bind(kBehind, GL_TEXTURE_2D, behind_);
    gl_.GenerateMipmap(GL_TEXTURE_2D);
    gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    bind(kBehindDepth, GL_TEXTURE_2D, behindDepth_);
}

// Opaque items except knits.
void Passes::drawEnvironment(const Items& items) {
    if (layered_) {
        begin("environment", sceneTarget_, width_, height_);
        gl_.Enable(GL_DEPTH_TEST);
        gl_.ClearColor(0, 0, 0, 0);
        gl_.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        if (!isWanted("environment")) return;
    } else if (!beginWithBackdrop("environment", sceneTarget_)) {
        return;
    }
    drawSolids(items, true);
    drawGround(items);
}

// Returns false if the pass is disabled; the target is then black.
bool Passes::beginWithBackdrop(const char* pass, GLuint target) {
    begin(pass, target, width_, height_);
    gl_.Enable(GL_DEPTH_TEST);
    gl_.ClearColor(0, 0, 0, 1);
    gl_.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    if (!isWanted(pass)) return false;
    gl_.Disable(GL_DEPTH_TEST);
    background_.use();
    drawScreen();
    gl_.Enable(GL_DEPTH_TEST);
    return true;
}

void Passes::drawSolids(const Items& items, bool smoothRims) {
    drawMeshes(items, matte_, Material::matte);
    if (smoothRims) gl_.Enable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    if (layered_) gl_.Enable(GL_SAMPLE_ALPHA_TO_ONE);
    points_.use();
    drawPoints(items, false);
    gl_.Disable(GL_SAMPLE_ALPHA_TO_ONE);
    gl_.Disable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    lines_.use();
    for (size_t i = 0; i < items.lines.size(); ++i) {
        lines_.set("color", items.view.lines[i].color);
        lines_.set("width", items.view.lines[i].width);
        items.lines[i].draw(gl_, sight_);
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

const Program& Passes::yarnProgram(const Items& items, size_t yarn) const {
    const bool dry = items.view.yarns[yarn].curves->wetting.empty();
    if (items.sizes[yarn].pixels < kFinePixels) return dry ? fineYarn_ : wetFineYarn_;
    return dry ? yarn_ : wetYarn_;
}

// `asKnit`: the final draw, in which yarns with fibres contribute only their cores. Tubes are closed, so back faces are
// culled.
void Passes::drawTubes(const Items& items, bool asKnit) {
    gl_.Enable(GL_CULL_FACE);
    gl_.CullFace(GL_BACK);
    for (size_t i = 0; i < items.yarns.size(); ++i) {
        const Program& program = yarnProgram(items, i);
        program.use();
        program.set("twisted", items.view.yarns[i].curves->plies > 1 ? 1 : 0);
        program.set("plain", !asKnit || items.fibres[i] ? 1 : 0);
        (asKnit && items.fibres[i] ? items.cores : items.yarns)[i].draw(gl_, sight_);
        ++records_.back().yarns;
    }
    gl_.Disable(GL_CULL_FACE);
}

// Yarns: tubes, or the cores of yarns with fibres, and then the fibres.
void Passes::drawKnits(const Items& items) {
    begin("knit", sceneTarget_, width_, height_);
    gl_.Enable(GL_DEPTH_TEST);
    drawTubes(items, true);
    drawFibres(items);
}

// Blends fibre quads back to front into a single-sample layer, which is then composited: millions of blended quads cost
// a third of what they do with 4x MSAA, and fibres have soft edges anyway. Yarn bodies are drawn one after the other,
// so where two intermingle the later one covers too much.
void Passes::drawFibres(const Items& items) {
    quads_.resize(items.view.yarns.size());
    if (std::find(items.fibres.begin(), items.fibres.end(), true) == items.fibres.end()) return;
    const QuadSort by = items.view.quadSort;
    YarnQuads::Sort sort;
    if (by == QuadSort::gpu || (by == QuadSort::automatic && hardware_))
        sort = [this](Buffer<uint64_t>& keys, Buffer<int>& order) { bitonic_.sort(keys, order); };
    gl_.Enable(GL_DEPTH_TEST);
    gl_.Viewport(0, 0, width_, height_);
    gl_.BindFramebuffer(GL_FRAMEBUFFER, fibreTarget_);
    bind(kDepth, GL_TEXTURE_2D_MULTISAMPLE, depth_);
    gl_.DepthFunc(GL_ALWAYS);
    farthest_.use();
    drawScreen();
    gl_.DepthFunc(GL_LEQUAL);
    // Occlusion culling on the CPU, for software rasterizers only: a GPU would stall on the read-back and rejects
    // hidden fragments fast enough.
    QuadSight sight{sight_, width_, height_};
    std::vector<float> depths;
    if (!hardware_) {
        depths.resize(size_t(width_) * size_t(height_));
        gl_.ReadPixels(0, 0, width_, height_, GL_DEPTH_COMPONENT, GL_FLOAT, depths.data());
        sight.depths = depths.data();
    }
    for (size_t i = 0; i < items.view.yarns.size(); ++i) {
        if (!items.fibres[i]) continue;
        const YarnLook& look = items.view.yarns[i];
        count("fibres: made");
        quads_[i].set(*look.curves, quadsFor(look, items.sizes[i]));
        count("fibres: sorted");
        if (sight.depths)
            quads_[i].sortFrom(items.view.camera.position, sight, sort);
        else
            quads_[i].sortFrom(items.view.camera.position, sort);
    }
    count("fibres: drawn");
    gl_.BindFramebuffer(GL_FRAMEBUFFER, fibreTarget_);  // the GPU sort binds its own framebuffer
    gl_.Viewport(0, 0, width_, height_);
    gl_.Enable(GL_DEPTH_TEST);
    gl_.ClearColor(0, 0, 0, 0);  // after the depth copy, which leaves the colour undefined
    gl_.Clear(GL_COLOR_BUFFER_BIT);

    gl_.Enable(GL_BLEND);
    gl_.BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    gl_.DepthMask(GL_FALSE);
    std::vector<QuadVertex> vertices(size_t(4) * kQuadsAtOnce);
    for (size_t i = 0; i < items.view.yarns.size(); ++i) {
        if (!items.fibres[i]) continue;
        const YarnLook& look = items.view.yarns[i];
        const YarnQuads& quads = quads_[i];
        bind(kSlice, GL_TEXTURE_2D, sliceOf(look.curves->plies));
        const Program& program = look.curves->wetting.empty() ? fibres_ : wetFibres_;
        program.use();
        program.set("radius", items.sizes[i].radius);
        gl_.BindVertexArray(quadArray_);
        gl_.BindBuffer(GL_ARRAY_BUFFER, quadVertices_);
        for (int first = 0; first < quads.shown(); first += kQuadsAtOnce) {
            const int count = std::min(kQuadsAtOnce, quads.shown() - first);
            quads.expand(first, count, vertices.data());
            gl_.BufferData(GL_ARRAY_BUFFER, GLsizeiptr(sizeof(QuadVertex) * 4 * size_t(count)), vertices.data(),
                           GL_STREAM_DRAW);
            gl_.DrawElements(GL_TRIANGLES, 6 * count, GL_UNSIGNED_INT, nullptr);
        }
    }
    gl_.DepthMask(GL_TRUE);
    gl_.Disable(GL_BLEND);
    layOver(fibreLayer_);
}

// Blends a layer with premultiplied alpha over the scene.
void Passes::layOver(GLuint layer) {
    gl_.BindFramebuffer(GL_FRAMEBUFFER, sceneTarget_);
    gl_.Disable(GL_DEPTH_TEST);
    gl_.Enable(GL_BLEND);
    gl_.BlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    bind(kFibres, GL_TEXTURE_2D, layer);
    over_.use();
    drawScreen();
    gl_.Disable(GL_BLEND);
}

GLuint Passes::sliceOf(int plies) {
    Handle& slice = slices_[plies];
    if (!slice) {
        SliceParams params;
        params.plies = plies;
        slice = makeSliceTexture(gl_, makeSlice(params));
    }
    return slice;
}

// Length of each eye ray inside water: distances of back faces minus those of front faces.
void Passes::measureWater(const Items& items) {
    begin("thickness", thicknessTarget_, width_, height_);
    gl_.Disable(GL_DEPTH_TEST);
    gl_.ClearColor(0, 0, 0, 0);
    gl_.Clear(GL_COLOR_BUFFER_BIT);
    gl_.Enable(GL_BLEND);
    gl_.BlendFunc(GL_ONE, GL_ONE);
    if (isWanted("thickness")) drawWaters(items, thicknessPass_, raysThickness_);
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
    castRays(items, raysWater_);
}

// Shades once per pixel where the four samples agree, else per sample, into a single-sample layer. A depth mask selects
// the pixels: what the depth test rejects costs a software rasterizer nothing, unlike an untaken branch in the shader
// or hidden fragments under MSAA.
void Passes::shadeWater(const Items& items) {
    constexpr double kAlike = 0.25, kDiffering = 0.5;  // the values waterMask.frag writes
    bind(kWaterSurface, GL_TEXTURE_2D_MULTISAMPLE, waterSurface_);
    bind(kDepth, GL_TEXTURE_2D_MULTISAMPLE, depth_);
    bind(kFibres, GL_TEXTURE_2D, fibreLayer_);
    gl_.BindFramebuffer(GL_FRAMEBUFFER, fibreTarget_);
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
    for (int sample = 0; sample < kSamples; ++sample) {
        gl_.BindFramebuffer(GL_FRAMEBUFFER, fibreTarget_);
        gl_.Enable(GL_DEPTH_TEST);
        if (sample == 0) shade(kAlike, 0, kSamples - 1);
        shade(kDiffering, sample, sample);

        gl_.BindFramebuffer(GL_FRAMEBUFFER, sceneTarget_);
        gl_.Disable(GL_DEPTH_TEST);
        gl_.Enable(GL_SAMPLE_MASK);
        gl_.SampleMaski(0, 1u << sample);
        waterLay_.use();
        waterLay_.set("sampleIndex", sample);
        drawScreen();
        gl_.Disable(GL_SAMPLE_MASK);
    }
    gl_.Enable(GL_DEPTH_TEST);
    gl_.DepthRange(0, 1);
    gl_.DepthMask(GL_TRUE);
    gl_.DepthFunc(GL_LEQUAL);
}

// Transparent meshes (glass, and matte below full opacity) back to front, each with its back faces first. Where a
// liquid touches the inside of its container, the two surfaces coincide; a depth offset lets the liquid win, since
// hardly any light is reflected between glass and water.
void Passes::drawGlass(const Items& items) {
    if (items.glass.empty() || !isWanted("glass")) return;
    float setBack = 0;
    for (const MeshLook& look : items.view.meshes) setBack = std::max(setBack, look.rim / 3);
    for (const LiquidLook& look : items.view.liquids) setBack = std::max(setBack, look.rim / 3);
    begin("glass", sceneTarget_, width_, height_);
    gl_.Enable(GL_DEPTH_TEST);
    gl_.Enable(GL_BLEND);
    gl_.DepthMask(GL_FALSE);
    for (const size_t i : items.glass) {
        const bool isGlass = items.view.meshes[i].material == Material::glass;
        gl_.BlendFuncSeparate(isGlass ? GL_ONE : GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
        const Program& program = isGlass ? glass_ : matte_;
        program.use();
        program.set("setBack", setBack);
        drawBlended(items, program, i);
        program.set("setBack", 0.0f);
    }
    gl_.DepthMask(GL_TRUE);
    gl_.Disable(GL_BLEND);
}

// Draws water meshes with one program, ray-marched liquids with the other.
void Passes::drawWaters(const Items& items, const Program& mesh, const Program& rays) {
    drawMeshes(items, mesh, Material::water);
    castRays(items, rays);
}

void Passes::castRays(const Items& items, const Program& program) {
    program.use();
    gl_.BindVertexArray(screen_);
    gl_.Enable(GL_CULL_FACE);
    gl_.CullFace(GL_FRONT);  // back faces are visible from inside too
    for (size_t i = 0; i < items.fields.size(); ++i) {
        if (items.fields[i].box().empty()) continue;
        const LiquidLook& look = items.view.liquids[i];
        ++records_.back().fluids;
        bind(kField, GL_TEXTURE_3D, items.fields[i].texture());
        items.fields[i].tell(program);
        program.set("color", look.color);
        program.set("roughness", look.roughness);
        program.set("clarity", look.clarity);
        program.set("turbidity", look.turbidity);
        program.set("rim", look.rim);
        gl_.DrawArrays(GL_TRIANGLES, 0, 36);
    }
    gl_.Disable(GL_CULL_FACE);
}

void Passes::drawPoints(const Items& items, bool foam) const {
    for (size_t i = 0; i < items.points.size(); ++i)
        if (items.view.points[i].foam == foam) items.points[i].draw(gl_, sight_);
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

void Passes::drawFoam(const Items& items) {
    if (!items.hasFoam || !isWanted("foam")) return;
    begin("foam", sceneTarget_, width_, height_);
    gl_.Enable(GL_DEPTH_TEST);
    blendFoam(items);
}

// Gas splats back to front into a single-sample layer: gas has no edges. Several gases are drawn one after the other,
// each sorted on its own.
void Passes::drawGas(const Items& items) {
    if (items.gases.empty() || !isWanted("gas")) return;
    begin("gas", fibreTarget_, width_, height_);
    gl_.Disable(GL_DEPTH_TEST);
    gl_.ClearColor(0, 0, 0, 0);
    gl_.Clear(GL_COLOR_BUFFER_BIT);
    gl_.Enable(GL_BLEND);
    gl_.BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    bind(kDepth, GL_TEXTURE_2D_MULTISAMPLE, depth_);
    gas_.use();
    for (const Drawable& gas : items.gases) gas.draw(gl_, sight_);
    gl_.Disable(GL_BLEND);
    layOver(fibreLayer_);
}

// Screen-space ambient occlusion of diffuse surfaces. It darkens all of a pixel's light, the key light included: an
// approximation for previews.
void Passes::drawOcclusion(const Items& items) {
    begin("occlusion", shadeTarget_, width_, height_);
    gl_.Disable(GL_DEPTH_TEST);
    bind(kDepth, GL_TEXTURE_2D_MULTISAMPLE, depth_);
    bind(kColor, GL_TEXTURE_2D_MULTISAMPLE, color_);
    occlusion_.use();
    drawScreen();
    gl_.BindFramebuffer(GL_FRAMEBUFFER, sceneTarget_);
    bind(kShade, GL_TEXTURE_2D, shade_);
    gl_.Enable(GL_BLEND);
    gl_.BlendFunc(GL_ZERO, GL_SRC_COLOR);
    smooth_.use();
    smooth_.set("strength", items.view.occlusion);
    drawScreen();
    gl_.Disable(GL_BLEND);
}

// Tone mapping and sRGB encoding, per sample before the resolve, so that bright edges stay antialiased.
void Passes::develop(GLuint framebuffer) {
    begin("develop", framebuffer, width_, height_);
    gl_.Disable(GL_DEPTH_TEST);
    bind(kColor, GL_TEXTURE_2D_MULTISAMPLE, color_);
    develop_.use();
    develop_.set("plain", 0);
    drawScreen();
}

// Tone maps and composites over a host image, with its depth test.
void Passes::lay(const Underlay& under) {
    begin("lay", under.framebuffer, width_, height_);
    gl_.Viewport(under.x, under.y, width_, height_);
    gl_.Enable(GL_DEPTH_TEST);
    gl_.Enable(GL_BLEND);
    gl_.BlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    bind(kColor, GL_TEXTURE_2D_MULTISAMPLE, color_);
    bind(kDepth, GL_TEXTURE_2D_MULTISAMPLE, depth_);
    const float* m = under.clipFromView.m;
    lay_.use();
    lay_.set("corner", Vec3{float(under.x), float(under.y), 0});
    lay_.set("depthClip", Vec3{m[10], m[14], m[11]});
    lay_.set("depthOne", m[15]);
    lay_.set("behindIt", under.behind);
    drawScreen();
    gl_.Disable(GL_BLEND);
}

int Passes::quads() const {
    int sum = 0;
    for (const YarnQuads& quads : quads_) sum += quads.count();
    return sum;
}

size_t Passes::bytesOfQuads() const {
    size_t sum = 0;
    for (const YarnQuads& quads : quads_) sum += quads.bytes();
    return sum;
}

void Passes::count(const char* phase) {
    if (!measured_) return;
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
    count(pass);
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
    program.set("rim", look.rim);
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
        items.meshes[i].draw(gl_, sight_);
        gl_.Disable(GL_CULL_FACE);
    }
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
        if (side == GL_BACK || look.twoSided) items.meshes[mesh].draw(gl_, sight_);
    }
    gl_.Disable(GL_CULL_FACE);
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
