// LiquidField: a liquid's colour field in a 3D texture, for ray marching its surface without a mesh (Bayraktar 5.2, 8).
#pragma once
#include "render/upload.h"

namespace purl {

class LiquidField {
  public:
    // Splats the particles additively into the slices of a grid on the GPU. `splat` is the program of field.frag.
    LiquidField(const Gl& gl, const LiquidLook& look, const Program& splat);

    const Bounds& box() const { return box_; }
    GLuint texture() const { return texture_; }
    // The particles as touching balls, for shadow maps.
    const Drawable& particles() const { return particles_; }
    // Sets the uniforms of rays.vert and rays.glsl.
    void setUniforms(const Program& program) const;

  private:
    Bounds box_;
    Vec3 cells_{1, 1, 1};
    float supportRadius_ = 0;
    Handle texture_;
    Drawable particles_;
};

}  // namespace purl
