#include "render/glState.h"

namespace purl {

namespace {

constexpr GLenum kSwitches[] = {GL_DEPTH_TEST,
                                GL_BLEND,
                                GL_CULL_FACE,
                                GL_SCISSOR_TEST,
                                GL_STENCIL_TEST,
                                GL_POLYGON_OFFSET_FILL,
                                GL_SAMPLE_ALPHA_TO_COVERAGE,
                                GL_SAMPLE_ALPHA_TO_ONE,
                                GL_SAMPLE_MASK,
                                GL_FRAMEBUFFER_SRGB,
                                GL_PRIMITIVE_RESTART,
                                GL_RASTERIZER_DISCARD,
                                GL_COLOR_LOGIC_OP,
                                GL_CLIP_DISTANCE0,
                                GL_CLIP_DISTANCE1,
                                GL_CLIP_DISTANCE2,
                                GL_CLIP_DISTANCE3,
                                GL_CLIP_DISTANCE4,
                                GL_CLIP_DISTANCE5};

constexpr struct {
    GLenum kind, bound;
} kTextures[] = {{GL_TEXTURE_2D, GL_TEXTURE_BINDING_2D},
                 {GL_TEXTURE_2D_ARRAY, GL_TEXTURE_BINDING_2D_ARRAY},
                 {GL_TEXTURE_2D_MULTISAMPLE, GL_TEXTURE_BINDING_2D_MULTISAMPLE},
                 {GL_TEXTURE_CUBE_MAP, GL_TEXTURE_BINDING_CUBE_MAP},
                 {GL_TEXTURE_3D, GL_TEXTURE_BINDING_3D}};

constexpr GLenum kUnits = 15;  // texture units that Passes binds

// Pixel-store parameters and their defaults.
constexpr struct {
    GLenum what;
    GLint usual;
} kPixelStore[] = {{GL_UNPACK_ALIGNMENT, 4},   {GL_UNPACK_ROW_LENGTH, 0}, {GL_UNPACK_SKIP_ROWS, 0},
                   {GL_UNPACK_SKIP_PIXELS, 0}, {GL_PACK_ALIGNMENT, 4},    {GL_PACK_ROW_LENGTH, 0},
                   {GL_PACK_SKIP_ROWS, 0},     {GL_PACK_SKIP_PIXELS, 0}};

}  // namespace

GLint GlState::number(GLenum what) const {
    GLint value = 0;
    gl_.GetIntegerv(what, &value);
    return value;
}

GlState::GlState(const Gl& gl)
    : gl_(gl),
      drawTarget_(number(GL_DRAW_FRAMEBUFFER_BINDING)),
      readTarget_(number(GL_READ_FRAMEBUFFER_BINDING)),
      program_(number(GL_CURRENT_PROGRAM)),
      vertexArray_(number(GL_VERTEX_ARRAY_BINDING)),
      arrayBuffer_(number(GL_ARRAY_BUFFER_BINDING)),
      uniformBuffer_(number(GL_UNIFORM_BUFFER_BINDING)),
      uniformBlock_(0),
      unpackBuffer_(number(GL_PIXEL_UNPACK_BUFFER_BINDING)),
      packBuffer_(number(GL_PIXEL_PACK_BUFFER_BINDING)),
      activeUnit_(number(GL_ACTIVE_TEXTURE)),
      depthFunc_(number(GL_DEPTH_FUNC)),
      cullFace_(number(GL_CULL_FACE_MODE)),
      frontFace_(number(GL_FRONT_FACE)) {
    gl.GetIntegeri_v(GL_UNIFORM_BUFFER_BINDING, 0, &uniformBlock_);
    gl.GetIntegeri_v(GL_SAMPLE_MASK_VALUE, 0, &sampleMask_);
    gl.GetIntegerv(GL_POLYGON_MODE, polygonMode_);
    gl.GetIntegerv(GL_VIEWPORT, viewport_);
    constexpr GLenum kBlend[] = {GL_BLEND_SRC_RGB, GL_BLEND_DST_RGB, GL_BLEND_SRC_ALPHA, GL_BLEND_DST_ALPHA};
    for (int i = 0; i < 4; ++i) blend_[i] = number(kBlend[i]);
    equation_[0] = number(GL_BLEND_EQUATION_RGB);
    equation_[1] = number(GL_BLEND_EQUATION_ALPHA);
    gl.GetBooleanv(GL_DEPTH_WRITEMASK, &depthMask_);
    gl.GetBooleanv(GL_COLOR_WRITEMASK, colorMask_);
    gl.GetFloatv(GL_COLOR_CLEAR_VALUE, clearColor_);
    gl.GetFloatv(GL_DEPTH_RANGE, depthRange_);
    gl.GetFloatv(GL_POLYGON_OFFSET_FACTOR, &offset_[0]);
    gl.GetFloatv(GL_POLYGON_OFFSET_UNITS, &offset_[1]);
    for (const GLenum what : kSwitches) {
        switches_.push_back(gl.IsEnabled(what));
        gl.Disable(what);
    }
    for (GLenum unit = 0; unit < kUnits; ++unit) {
        gl.ActiveTexture(GL_TEXTURE0 + unit);
        Unit saved{{}, number(GL_SAMPLER_BINDING)};
        for (size_t k = 0; k < saved.textures.size(); ++k) saved.textures[k] = number(kTextures[k].bound);
        units_.push_back(saved);
        gl.BindSampler(unit, 0);  // a sampler object of the host would override our texture parameters
    }
    for (const auto& entry : kPixelStore) {
        pixelStore_.push_back(number(entry.what));
        gl.PixelStorei(entry.what, entry.usual);
    }
    gl.BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    gl.BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    gl.PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    gl.FrontFace(GL_CCW);
    gl.BlendEquationSeparate(GL_FUNC_ADD, GL_FUNC_ADD);
    gl.DepthMask(GL_TRUE);
    gl.ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    gl.DepthRange(0, 1);
}

GlState::~GlState() {
    gl_.SampleMaski(0, GLbitfield(sampleMask_));
    gl_.DepthRange(double(depthRange_[0]), double(depthRange_[1]));
    gl_.ColorMask(colorMask_[0], colorMask_[1], colorMask_[2], colorMask_[3]);
    gl_.DepthMask(depthMask_);
    gl_.DepthFunc(GLenum(depthFunc_));
    gl_.BlendEquationSeparate(GLenum(equation_[0]), GLenum(equation_[1]));
    gl_.BlendFuncSeparate(GLenum(blend_[0]), GLenum(blend_[1]), GLenum(blend_[2]), GLenum(blend_[3]));
    gl_.FrontFace(GLenum(frontFace_));
    gl_.CullFace(GLenum(cullFace_));
    gl_.PolygonMode(GL_FRONT_AND_BACK, GLenum(polygonMode_[0]));
    gl_.PolygonOffset(offset_[0], offset_[1]);
    gl_.ClearColor(clearColor_[0], clearColor_[1], clearColor_[2], clearColor_[3]);
    for (size_t i = 0; i < pixelStore_.size(); ++i) gl_.PixelStorei(kPixelStore[i].what, pixelStore_[i]);
    for (GLenum unit = 0; unit < kUnits; ++unit) {
        gl_.ActiveTexture(GL_TEXTURE0 + unit);
        for (size_t k = 0; k < units_[unit].textures.size(); ++k)
            gl_.BindTexture(kTextures[k].kind, GLuint(units_[unit].textures[k]));
        gl_.BindSampler(unit, GLuint(units_[unit].sampler));
    }
    gl_.ActiveTexture(GLenum(activeUnit_));
    for (size_t i = 0; i < switches_.size(); ++i) (switches_[i] ? gl_.Enable : gl_.Disable)(kSwitches[i]);
    gl_.UseProgram(GLuint(program_));
    gl_.BindVertexArray(GLuint(vertexArray_));
    gl_.BindBuffer(GL_ARRAY_BUFFER, GLuint(arrayBuffer_));
    gl_.BindBufferBase(GL_UNIFORM_BUFFER, 0, GLuint(uniformBlock_));
    gl_.BindBuffer(GL_UNIFORM_BUFFER, GLuint(uniformBuffer_));
    gl_.BindBuffer(GL_PIXEL_UNPACK_BUFFER, GLuint(unpackBuffer_));
    gl_.BindBuffer(GL_PIXEL_PACK_BUFFER, GLuint(packBuffer_));
    gl_.BindFramebuffer(GL_DRAW_FRAMEBUFFER, GLuint(drawTarget_));
    gl_.BindFramebuffer(GL_READ_FRAMEBUFFER, GLuint(readTarget_));
    gl_.Viewport(viewport_[0], viewport_[1], viewport_[2], viewport_[3]);
}

}  // namespace purl
