// Passes: the list of steps that turns a view into a picture. Works in whatever context is current; owns no window.
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

// A picture that another one is laid over, as OpenGL's own conventions have it.
struct Underlay {
    GLuint framebuffer = 0;  // with depth
    int x = 0, y = 0;        // where the other one's lower left corner comes to lie, in pixels
    Mat4 clipFromView;       // of the camera that its depth is of
    float behind = 0;        // how much farther away than that camera the other one's stands
};

class Passes {
  public:
    Passes(const Gl& gl, int width, int height);

    // Into a framebuffer of the size given above.
    void draw(const View& view, GLuint framebuffer, PictureLayers* layers = nullptr);
    // Laid over what is there, by depth: without a backdrop, and without darkening corners.
    void drawOver(const View& view, const Underlay& under);
    // Of the last picture, in order.
    const std::vector<PassRecord>& records() const { return records_; }
    const std::vector<PassTime>& times() const { return times_; }
    int quads() const;            // that fibres of the last picture were drawn by
    size_t bytesOfQuads() const;  // that are kept for them
    // Waits after each pass until it is drawn, so that its time is its own.
    void measure(bool on) { measured_ = on; }

  private:
    struct Items;  // of the view, uploaded

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
    void count(const char* phase);  // time from here on for it; null: for nothing
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
    Handle screen_, stage_;             // a triangle over all of the picture; the uniform block
    Handle solidShadow_, waterShadow_;  // depth seen from the light, a layer a cascade
    std::vector<Handle> solidShadowTargets_, waterShadowTargets_;
    Handle color_, depth_;                      // linear light, four samples
    Handle cube_, cubeDepth_;                   // what stands around the water
    std::vector<Handle> cubeTargets_;           // its sides
    Handle fluidDepth_;                         // of the nearest water
    Handle behind_, behindDepth_, thickness_;   // what is behind it; how much of it there is
    Handle waterSurface_, waterSurfaceTarget_;  // its normals, four samples
    std::vector<YarnQuads> quads_;              // of the view's yarns, in its order, kept from picture to picture
    BitonicSort bitonic_;
    bool hardware_;
    std::map<int, Handle> slices_;  // of yarns, by their plies
    Handle quadArray_, quadVertices_, quadIndices_;
    Handle fibreLayer_, fibreDepth_;  // fibres alone, one sample a pixel: they are soft by themselves
    Handle shade_, shadeTarget_;      // how much of the sky is hidden
    Handle sceneTarget_, fibreTarget_, fluidTarget_, behindTarget_, thicknessTarget_;
    std::shared_ptr<const SkyPicture> sky_;  // whose texture it is
    Handle panorama_;
    Handle light_, surface_, motion_, toldDepth_, lightTarget_, toldTarget_;  // for layers, made when first asked for
    std::set<std::string> without_;                                           // passes that are left out
    Mat4 sight_;                                                              // clip from world, of what is being drawn
    std::vector<PassRecord> records_;
    bool layered_ = false;  // alpha is coverage
    bool sunk_ = false;     // programs are made for water around everything
    bool measured_ = false;
    std::vector<PassTime> times_;
    std::string phase_;  // whose time is being counted since
    std::chrono::steady_clock::time_point since_;
};

}  // namespace purl
