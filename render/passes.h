// Passes: the render passes that draw a view. Uses the current OpenGL context; owns no window.
#pragma once
#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "render/aovs.h"
#include "render/bitonicSort.h"
#include "render/gl.h"
#include "render/liquidField.h"
#include "render/record.h"
#include "render/upload.h"
#include "render/viewUniforms.h"
#include "render/yarnQuads.h"

namespace purl {

// The framebuffer of a host application that a view is composited into.
struct CompositeTarget {
    GLuint framebuffer = 0;  // has a depth attachment
    int x = 0, y = 0;        // lower left corner of the viewport, pixels
    Mat4 clipFromView;       // projection its depth buffer was rendered with
    float eyeOffset = 0;     // how much farther away our eye is than the host camera
};

class Passes {
  public:
    Passes(const Gl& gl, int width, int height);

    // Renders into a framebuffer of the size given to the constructor.
    void draw(const View& view, GLuint framebuffer, Aovs* aovs = nullptr);
    // Composites over an existing image with its depth; without background and ambient occlusion.
    void drawOver(const View& view, const CompositeTarget& target);
    // Of the last draw, in order.
    const std::vector<PassRecord>& records() const { return records_; }
    const std::vector<PassTime>& times() const { return times_; }
    int quads() const;         // quads drawn for fibres in the last draw
    size_t quadBytes() const;  // memory they use
    // Enables timing: waits for the GPU after each pass.
    void measure(bool on) { timing_ = on; }

  private:
    struct Items;  // the view's items on the GPU

    void drawScene(const Items& items, const ViewUniforms& uniforms);
    void drawShadows(const Items& items, const ViewUniforms& uniforms);
    void drawCubeMap(const Items& items, const ViewUniforms& uniforms);
    void drawFluidDepth(const Items& items);
    void drawBehindWater(const Items& items);
    void drawWaterThickness(const Items& items);
    void drawEnvironment(const Items& items);
    void drawWater(const Items& items);
    void drawKnits(const Items& items);
    void drawFibres(const Items& items);
    void drawFoam(const Items& items);
    void drawGas(const Items& items);
    void drawOcclusion(const Items& items);
    void drawGlass(const Items& items);
    void tonemap(GLuint framebuffer);
    void composite(const CompositeTarget& target);
    void renderAovs(const Items& items, const ViewUniforms& uniforms, Aovs& aovs);

    void begin(const View& view);
    bool beginWithBackground(const char* pass, GLuint target);
    void begin(const char* pass, GLuint target, int width, int height);
    void startTimer(const char* phase);  // accounts time from here on to `phase`; null: stops
    void setUniforms(const ViewUniforms& uniforms);
    void drawSolids(const Items& items, bool alphaToCoverage);
    void drawTubes(const Items& items, bool asKnit = false);
    const Program& yarnProgram(const Items& items, size_t yarn) const;
    void drawGround(const Items& items) const;
    void setLook(const Program& program, const MeshLook& look);
    void drawMeshes(const Items& items, const Program& program, Material material);
    void drawBlended(const Items& items, const Program& program, size_t mesh);
    void drawWaterGeometry(const Items& items, const Program& mesh, const Program& rays);
    void shadeWater(const Items& items);
    void marchRays(const Items& items, const Program& program);
    void drawPoints(const Items& items, bool foam) const;
    void blendFoam(const Items& items) const;
    void drawScreen() const;
    void blendLayer(GLuint layer);
    void compileFor(const Medium& medium);
    void setUnits() const;
    bool isEnabled(const char* pass) const { return without_.count(pass) == 0; }
    void setSky(const Sky& sky);
    void bind(int unit, GLenum kind, GLuint texture) const;
    GLuint sliceOf(int plies);

    const Gl& gl_;
    int width_, height_;
    Program shadowMesh_, shadowPoints_, background_, ground_, matte_, points_, lines_, yarn_, fibres_, wetYarn_,
        fineYarn_, wetFineYarn_, wetFibres_, fluidDepthPass_, thicknessPass_, waterSurfacePass_, waterMaskPass_, water_,
        waterResolve_, farthestDepth_, blendLayer_, foam_, gas_, glass_, occlusion_, occlusionBlur_, tonemap_,
        composite_, gbuffer_, gbufferPoints_, gbufferGround_, field_, raysDepth_, raysThickness_, raysWater_,
        raysGbuffer_;
    Handle screen_, uniforms_;          // full-screen triangle; uniform block
    Handle solidShadow_, waterShadow_;  // shadow maps, one layer per cascade
    std::vector<Handle> solidShadowTargets_, waterShadowTargets_;
    Handle color_, depth_;                      // linear HDR colour, 4x MSAA
    Handle cubeMap_, cubeDepth_;                // environment of the water
    std::vector<Handle> cubeTargets_;           // its faces
    Handle fluidDepth_;                         // of the nearest water surface
    Handle behind_, behindDepth_, thickness_;   // scene behind the water; water thickness per pixel
    Handle waterSurface_, waterSurfaceTarget_;  // its normals, 4x MSAA
    std::vector<YarnQuads> quads_;              // one per yarn of the view, kept between draws
    BitonicSort bitonic_;
    bool hardwareRenderer_;
    std::map<int, Handle> slices_;  // lumislice textures, by number of plies
    Handle quadArray_, quadVertices_, quadIndices_;
    Handle layerColor_, layerDepth_;         // single-sample layer for fibres, gas and water shading
    Handle occlusionMap_, occlusionTarget_;  // ambient occlusion
    Handle sceneTarget_, layerTarget_, fluidTarget_, behindTarget_, thicknessTarget_;
    std::shared_ptr<const EnvironmentMap> sky_;  // source of panorama_
    Handle panorama_;
    Handle beauty_, normalWetness_, velocityId_, gbufferDepth_, beautyTarget_,
        gbufferTarget_;              // AOV targets, created on first use
    std::set<std::string> without_;  // disabled passes
    Mat4 clipFromWorld_;             // of the pass being drawn
    std::vector<PassRecord> records_;
    bool compositing_ = false;  // compositing over a host image: alpha is coverage
    bool submerged_ = false;    // programs are compiled with UNDER_WATER
    bool timing_ = false;
    std::vector<PassTime> times_;
    std::string phase_;  // being timed since `since_`
    std::chrono::steady_clock::time_point since_;
};

}  // namespace purl
