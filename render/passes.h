// Passes: the list of steps that turns a view into a picture. Works in whatever context is current; owns no window.
#pragma once
#include <map>

#include "render/gl.h"
#include "render/stage.h"
#include "render/upload.h"
#include "render/yarnQuads.h"

namespace purl {

class Passes {
  public:
    Passes(const Gl& gl, int width, int height);

    // Into a framebuffer of the size given above.
    void draw(const View& view, GLuint framebuffer);

  private:
    struct Items;  // of the view, uploaded

    void drawShadows(const Items& items);
    void drawSolids(const Items& items);
    void drawFibres(const Items& items);
    GLuint sliceOf(int plies);
    void resolveBehind();
    void measureWater(const Items& items);
    void drawWater(const Items& items);
    void drawGlass(const Items& items);
    void develop(GLuint framebuffer);

    void begin(GLuint target, int width, int height) const;
    void drawMeshes(const Items& items, const Program& program, Material material, bool blended) const;
    void drawScreen() const;
    void bind(int unit, GLenum kind, GLuint texture) const;

    const Gl& gl_;
    int width_, height_;
    Program shadowMesh_, shadowPoints_, background_, ground_, matte_, points_, lines_, yarn_, fibres_, behindPass_,
        thicknessPass_, water_, develop_;
    Handle screen_, stage_;             // a triangle over all of the picture; the uniform block
    Handle solidShadow_, waterShadow_;  // depth seen from the light, a layer a cascade
    std::vector<Handle> solidShadowTargets_, waterShadowTargets_;
    Handle color_, depth_, behind_, thickness_;  // linear light, four samples; what is behind the water; how much water
    std::vector<YarnQuads> quads_;               // of the view's yarns, in its order, kept from picture to picture
    std::map<int, Handle> slices_;               // of yarns, by their plies
    Handle quadArray_, quadVertices_, quadIndices_;
    Handle sceneTarget_, behindTarget_, thicknessTarget_;
};

}  // namespace purl
