// LiquidField: the colour field of a liquid's particles as a texture, so that rays find its surface without a mesh
// (Bayraktar 5.2, 8).
#pragma once
#include "render/upload.h"

namespace purl {

class LiquidField {
  public:
    // Sums it on the GPU: particles are drawn into the layers of a grid that add up. `drawing` is the program of
    // field.frag.
    LiquidField(const Gl& gl, const LiquidLook& look, const Program& drawing);

    const Bounds& box() const { return box_; }
    GLuint texture() const { return texture_; }
    // Its particles as balls that touch: a shadow need not be finer.
    const Drawable& particles() const { return particles_; }
    // What rays.vert and rays.glsl ask for.
    void tell(const Program& program) const;

  private:
    Bounds box_;
    Vec3 cells_{1, 1, 1};
    float reach_ = 0;
    Handle texture_;
    Drawable particles_;
};

}  // namespace purl
