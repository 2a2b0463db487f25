// Passes: the render passes that draw a view. Uses the current OpenGL context; owns no window.
#pragma once
#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "render/bitonicSort.h"
#include "render/gl.h"
#include "render/liquidField.h"
#include "render/pictureLayers.h"
#include "render/record.h"
#include "render/stage.h"
#include "render/upload.h"
#include "render/yarnQuads.h"

namespace purl {

// The framebuffer of a host application that a view is composited into.
struct Underlay {
    GLuint framebuffer = 0;  // has a depth attachment
    int x = 0, y = 0;        // lower left corner of the viewport, pixels
    Mat4 clipFromView;       // projection its depth buffer was rendered with
    float behind = 0;        // how much farther away our eye is than the host camera
};

class Passes {
  public:
    Passes(const Gl& gl, int width, int height);

    // Renders into a framebuffer of the size given to the constructor.
    void draw(const View& view, GLuint framebuffer, PictureLayers* layers = nullptr);
    // Composites over an existing image with its depth; without background and ambient occlusion.
    void drawOver(const View& view, const Underlay& under);
    // Of the last draw, in order.
    const std::vector<PassRecord>& records() const { return records_; }
    const std::vector<PassTime>& times() const { return times_; }
    int quads() const;            // quads drawn for fibres in the last draw
    size_t bytesOfQuads() const;  // memory they use
    // Enables timing: waits for the GPU after each pass.
    void measure(bool on) { measured_ = on; }

  private:
    struct Items;  // the view's items on the GPU

    void drawLight(const Items& items, const Stage& stage);
    void drawShadows(const Items& items, const Stage& stage);
    void drawSurroundings(const Items& items, const Stage& stage);
    void measureFluid(const Items& items);
    void drawBehind(const Items& items);
    void measureWater(const Items& items);
    void drawEnvironment(const Items& items);
    void drawWater(const Items& items);
    void drawKnits(const Items& items);
    void drawFibres(const Items& items);
    void drawFoam(const Items& items);
    void drawGas(const Items& items);
    void drawOcclusion(const Items& items);
    void drawGlass(const Items& items);
    void develop(GLuint framebuffer);
    void lay(const Underlay& under);
    void tell(const Items& items, const Stage& stage, PictureLayers& layers);

    void begin(const View& view);
    bool beginWithBackdrop(const char* pass, GLuint target);
    void begin(const char* pass, GLuint target, int width, int height);
    void count(const char* phase);  // accounts time from here on to `phase`; null: stops
    void setStage(const Stage& stage);
    void drawSolids(const Items& items, bool smoothRims);
    void drawTubes(const Items& items, bool asKnit = false);
    const Program& yarnProgram(const Items& items, size_t yarn) const;
    void drawGround(const Items& items) const;
    void setLook(const Program& program, const MeshLook& look);
    void drawMeshes(const Items& items, const Program& program, Material material);
    void drawBlended(const Items& items, const Program& program, size_t mesh);
    void drawWaters(const Items& items, const Program& mesh, const Program& rays);
    void shadeWater(const Items& items);
    void castRays(const Items& items, const Program& program);
    void drawPoints(const Items& items, bool foam) const;
    void blendFoam(const Items& items) const;
    void drawScreen() const;
    void layOver(GLuint layer);
    void prepareFor(const Medium& medium);
    void setUnits() const;
    bool isWanted(const char* pass) const { return without_.count(pass) == 0; }
    void setSky(const Sky& sky);
    void bind(int unit, GLenum kind, GLuint texture) const;
    GLuint sliceOf(int plies);

    const Gl& gl_;
    int width_, height_;
    Program shadowMesh_, shadowPoints_, background_, ground_, matte_, points_, lines_, yarn_, fibres_, wetYarn_,
        fineYarn_, wetFineYarn_, wetFibres_, fluidDepthPass_, thicknessPass_, waterSurfacePass_, waterMaskPass_, water_,
        waterLay_, farthest_, over_, foam_, gas_, glass_, occlusion_, smooth_, develop_, lay_, told_, toldPoints_,
        toldGround_, field_, raysDepth_, raysThickness_, raysWater_, raysTold_;
    Handle screen_, stage_;             // full-screen triangle; uniform block
    Handle solidShadow_, waterShadow_;  // shadow maps, one layer per cascade
    std::vector<Handle> solidShadowTargets_, waterShadowTargets_;
    Handle color_, depth_;                      // linear HDR colour, 4x MSAA
    Handle cube_, cubeDepth_;                   // environment of the water
    std::vector<Handle> cubeTargets_;           // its faces
    Handle fluidDepth_;                         // of the nearest water surface
    Handle behind_, behindDepth_, thickness_;   // scene behind the water; water thickness per pixel
    Handle waterSurface_, waterSurfaceTarget_;  // its normals, 4x MSAA
    std::vector<YarnQuads> quads_;              // one per yarn of the view, kept between draws
    BitonicSort bitonic_;
    bool hardware_;
    std::map<int, Handle> slices_;  // lumislice textures, by number of plies
    Handle quadArray_, quadVertices_, quadIndices_;
    Handle fibreLayer_, fibreDepth_;  // single-sample layer for fibres, gas and water shading
    Handle shade_, shadeTarget_;      // ambient occlusion
    Handle sceneTarget_, fibreTarget_, fluidTarget_, behindTarget_, thicknessTarget_;
    std::shared_ptr<const SkyPicture> sky_;  // source of panorama_
    Handle panorama_;
    Handle light_, surface_, motion_, toldDepth_, lightTarget_, toldTarget_;  // AOV targets, created on first use
    std::set<std::string> without_;                                           // disabled passes
    Mat4 sight_;                                                              // of the pass being drawn
    std::vector<PassRecord> records_;
    bool layered_ = false;  // compositing over a host image: alpha is coverage
    bool sunk_ = false;     // programs are compiled with UNDER_WATER
    bool measured_ = false;
    std::vector<PassTime> times_;
    std::string phase_;  // being timed since `since_`
    std::chrono::steady_clock::time_point since_;
};

}  // namespace purl
