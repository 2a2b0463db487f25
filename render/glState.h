// GlState: what OpenGL was told before us. Puts its plain state in place, and gives the other back when it goes.
#pragma once
#include <array>
#include <vector>

#include "render/gl.h"

namespace purl {

// For drawing within a program that has a state of its own. Covers what render/ changes or relies on.
class GlState {
  public:
    explicit GlState(const Gl& gl);
    ~GlState();
    GlState(const GlState&) = delete;
    GlState& operator=(const GlState&) = delete;

  private:
    struct Unit {
        std::array<GLint, 5> textures;
        GLint sampler;
    };
    GLint number(GLenum what) const;

    const Gl& gl_;
    std::vector<GLboolean> switches_;
    std::vector<Unit> units_;
    std::vector<GLint> pixelStore_;
    GLint drawTarget_, readTarget_, program_, vertexArray_, arrayBuffer_, uniformBuffer_, uniformBlock_, unpackBuffer_,
        packBuffer_, activeUnit_, depthFunc_, cullFace_, frontFace_, sampleMask_, polygonMode_[2], viewport_[4],
        blend_[4], equation_[2];
    GLboolean depthMask_, colorMask_[4];
    GLfloat clearColor_[4], depthRange_[2], offset_[2];
};

}  // namespace purl
