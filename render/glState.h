// GlState: saves the OpenGL state and sets ours; the destructor restores it.
#pragma once
#include <array>
#include <vector>

#include "render/gl.h"

namespace purl {

// For rendering inside a host application with its own OpenGL state. Covers what render/ changes or relies on.
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
