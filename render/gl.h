// The OpenGL 3.3 core functions we call, loaded into one table, and RAII owners for GL objects.
#pragma once
#include <GL/glcorearb.h>

#include <string>
#include <vector>

#include "render/context.h"
#include "solver/core/vec.h"

namespace purl {

struct Mat4;

// One line per function: type, name and lookup. Calls act on the thread's current context.
struct Gl {
    struct Symbol {
        void* address;
        template <class Function>
        operator Function*() const {
            return reinterpret_cast<Function*>(address);
        }
    };
    explicit Gl(const Context& context) : context(context) {}
    Symbol find(const char* name) const;

    const Context& context;
    PFNGLACTIVETEXTUREPROC ActiveTexture = find("glActiveTexture");
    PFNGLATTACHSHADERPROC AttachShader = find("glAttachShader");
    PFNGLBINDBUFFERPROC BindBuffer = find("glBindBuffer");
    PFNGLBINDBUFFERBASEPROC BindBufferBase = find("glBindBufferBase");
    PFNGLBINDFRAMEBUFFERPROC BindFramebuffer = find("glBindFramebuffer");
    PFNGLBINDSAMPLERPROC BindSampler = find("glBindSampler");
    PFNGLBINDTEXTUREPROC BindTexture = find("glBindTexture");
    PFNGLBINDVERTEXARRAYPROC BindVertexArray = find("glBindVertexArray");
    PFNGLBLENDEQUATIONSEPARATEPROC BlendEquationSeparate = find("glBlendEquationSeparate");
    PFNGLBLENDFUNCPROC BlendFunc = find("glBlendFunc");
    PFNGLBLENDFUNCSEPARATEPROC BlendFuncSeparate = find("glBlendFuncSeparate");
    PFNGLBUFFERDATAPROC BufferData = find("glBufferData");
    PFNGLCHECKFRAMEBUFFERSTATUSPROC CheckFramebufferStatus = find("glCheckFramebufferStatus");
    PFNGLCLEARPROC Clear = find("glClear");
    PFNGLCLEARCOLORPROC ClearColor = find("glClearColor");
    PFNGLCLEARDEPTHPROC ClearDepth = find("glClearDepth");
    PFNGLCOLORMASKPROC ColorMask = find("glColorMask");
    PFNGLCOMPILESHADERPROC CompileShader = find("glCompileShader");
    PFNGLCREATEPROGRAMPROC CreateProgram = find("glCreateProgram");
    PFNGLCREATESHADERPROC CreateShader = find("glCreateShader");
    PFNGLCULLFACEPROC CullFace = find("glCullFace");
    PFNGLDELETEBUFFERSPROC DeleteBuffers = find("glDeleteBuffers");
    PFNGLDELETEFRAMEBUFFERSPROC DeleteFramebuffers = find("glDeleteFramebuffers");
    PFNGLDELETEPROGRAMPROC DeleteProgram = find("glDeleteProgram");
    PFNGLDELETESHADERPROC DeleteShader = find("glDeleteShader");
    PFNGLDELETETEXTURESPROC DeleteTextures = find("glDeleteTextures");
    PFNGLDELETEVERTEXARRAYSPROC DeleteVertexArrays = find("glDeleteVertexArrays");
    PFNGLDEPTHFUNCPROC DepthFunc = find("glDepthFunc");
    PFNGLDEPTHMASKPROC DepthMask = find("glDepthMask");
    PFNGLDEPTHRANGEPROC DepthRange = find("glDepthRange");
    PFNGLDISABLEPROC Disable = find("glDisable");
    PFNGLDRAWARRAYSPROC DrawArrays = find("glDrawArrays");
    PFNGLDRAWBUFFERPROC DrawBuffer = find("glDrawBuffer");
    PFNGLDRAWBUFFERSPROC DrawBuffers = find("glDrawBuffers");
    PFNGLDRAWELEMENTSPROC DrawElements = find("glDrawElements");
    PFNGLENABLEPROC Enable = find("glEnable");
    PFNGLENABLEVERTEXATTRIBARRAYPROC EnableVertexAttribArray = find("glEnableVertexAttribArray");
    PFNGLFINISHPROC Finish = find("glFinish");
    PFNGLFRAMEBUFFERTEXTURE2DPROC FramebufferTexture2D = find("glFramebufferTexture2D");
    PFNGLFRAMEBUFFERTEXTUREPROC FramebufferTexture = find("glFramebufferTexture");
    PFNGLFRAMEBUFFERTEXTURELAYERPROC FramebufferTextureLayer = find("glFramebufferTextureLayer");
    PFNGLFRONTFACEPROC FrontFace = find("glFrontFace");
    PFNGLGENBUFFERSPROC GenBuffers = find("glGenBuffers");
    PFNGLGENERATEMIPMAPPROC GenerateMipmap = find("glGenerateMipmap");
    PFNGLGENFRAMEBUFFERSPROC GenFramebuffers = find("glGenFramebuffers");
    PFNGLGENTEXTURESPROC GenTextures = find("glGenTextures");
    PFNGLGENVERTEXARRAYSPROC GenVertexArrays = find("glGenVertexArrays");
    PFNGLGETBOOLEANVPROC GetBooleanv = find("glGetBooleanv");
    PFNGLGETERRORPROC GetError = find("glGetError");
    PFNGLGETFLOATVPROC GetFloatv = find("glGetFloatv");
    PFNGLGETINTEGERI_VPROC GetIntegeri_v = find("glGetIntegeri_v");
    PFNGLGETINTEGERVPROC GetIntegerv = find("glGetIntegerv");
    PFNGLGETPROGRAMINFOLOGPROC GetProgramInfoLog = find("glGetProgramInfoLog");
    PFNGLGETPROGRAMIVPROC GetProgramiv = find("glGetProgramiv");
    PFNGLGETSHADERINFOLOGPROC GetShaderInfoLog = find("glGetShaderInfoLog");
    PFNGLGETSHADERIVPROC GetShaderiv = find("glGetShaderiv");
    PFNGLGETSTRINGPROC GetString = find("glGetString");
    PFNGLGETUNIFORMBLOCKINDEXPROC GetUniformBlockIndex = find("glGetUniformBlockIndex");
    PFNGLGETUNIFORMLOCATIONPROC GetUniformLocation = find("glGetUniformLocation");
    PFNGLISENABLEDPROC IsEnabled = find("glIsEnabled");
    PFNGLLINKPROGRAMPROC LinkProgram = find("glLinkProgram");
    PFNGLPIXELSTOREIPROC PixelStorei = find("glPixelStorei");
    PFNGLPOLYGONMODEPROC PolygonMode = find("glPolygonMode");
    PFNGLPOLYGONOFFSETPROC PolygonOffset = find("glPolygonOffset");
    PFNGLREADBUFFERPROC ReadBuffer = find("glReadBuffer");
    PFNGLREADPIXELSPROC ReadPixels = find("glReadPixels");
    PFNGLSAMPLEMASKIPROC SampleMaski = find("glSampleMaski");
    PFNGLSHADERSOURCEPROC ShaderSource = find("glShaderSource");
    PFNGLTEXIMAGE2DPROC TexImage2D = find("glTexImage2D");
    PFNGLTEXIMAGE2DMULTISAMPLEPROC TexImage2DMultisample = find("glTexImage2DMultisample");
    PFNGLTEXIMAGE3DPROC TexImage3D = find("glTexImage3D");
    PFNGLTEXPARAMETERFVPROC TexParameterfv = find("glTexParameterfv");
    PFNGLTEXPARAMETERIPROC TexParameteri = find("glTexParameteri");
    PFNGLTEXSUBIMAGE2DPROC TexSubImage2D = find("glTexSubImage2D");
    PFNGLUNIFORM1FPROC Uniform1f = find("glUniform1f");
    PFNGLUNIFORM1IPROC Uniform1i = find("glUniform1i");
    PFNGLUNIFORM3FPROC Uniform3f = find("glUniform3f");
    PFNGLUNIFORMBLOCKBINDINGPROC UniformBlockBinding = find("glUniformBlockBinding");
    PFNGLUSEPROGRAMPROC UseProgram = find("glUseProgram");
    PFNGLVERTEXATTRIBPOINTERPROC VertexAttribPointer = find("glVertexAttribPointer");
    PFNGLVIEWPORTPROC Viewport = find("glViewport");
};

// Owns one OpenGL object; the context must be current on destruction.
class Handle {
  public:
    using Delete = void (*)(const Gl&, GLuint);
    Handle() = default;
    Handle(const Gl& gl, GLuint id, Delete release) : gl_(&gl), id_(id), release_(release) {}
    Handle(Handle&& other) noexcept { swap(other); }
    Handle& operator=(Handle&& other) noexcept {
        swap(other);
        return *this;
    }
    ~Handle() {
        if (id_) release_(*gl_, id_);
    }
    operator GLuint() const { return id_; }

  private:
    void swap(Handle& other) {
        std::swap(gl_, other.gl_);
        std::swap(id_, other.id_);
        std::swap(release_, other.release_);
    }
    const Gl* gl_ = nullptr;
    GLuint id_ = 0;
    Delete release_ = nullptr;
};

Handle makeBuffer(const Gl& gl, GLenum target, const void* data, size_t bytes);
Handle makeVertexArray(const Gl& gl);

// A render-target texture; multisampled if `samples` is above 1.
Handle makeTexture(const Gl& gl, GLenum format, int width, int height, int samples = 1);
// An RG32UI texture.
Handle makeUint2Texture(const Gl& gl, int width, int height, const void* data);
// A depth texture array with comparison sampling, one layer per shadow map.
Handle makeShadowMaps(const Gl& gl, int size, int layers);
// A framebuffer that renders into one layer.
Handle makeShadowTarget(const Gl& gl, GLuint maps, int layer);
// A cube map.
Handle makeCube(const Gl& gl, GLenum format, int size);
// A framebuffer that renders into one face.
Handle makeCubeTarget(const Gl& gl, GLuint cube, int side, GLuint depth);
// A 3D texture with trilinear filtering, and a layered framebuffer (gl_Layer selects the slice).
Handle makeVolume(const Gl& gl, GLenum format, int width, int height, int layers);
Handle makeVolumeTarget(const Gl& gl, GLuint volume);
// A framebuffer with several colour attachments and depth.
Handle makeTargets(const Gl& gl, const std::vector<GLuint>& colors, GLuint depth);
// A framebuffer with the given attachments; either may be 0.
Handle makeTarget(const Gl& gl, GLuint color, GLuint depth, int samples = 1);

// A program linked from files of render/shaders, in which `#include "file"` is expanded. `defined`: macros to define.
class Program {
  public:
    Program(const Gl& gl, const std::vector<std::string>& files, const std::vector<std::string>& defined = {});
    void use() const { gl_->UseProgram(id_); }
    void set(const char* name, int value) const { gl_->Uniform1i(gl_->GetUniformLocation(id_, name), value); }
    void set(const char* name, float value) const { gl_->Uniform1f(gl_->GetUniformLocation(id_, name), value); }
    void set(const char* name, Vec3 v) const { gl_->Uniform3f(gl_->GetUniformLocation(id_, name), v.x, v.y, v.z); }

  private:
    const Gl* gl_;
    Handle id_;
};

}  // namespace purl
