#include "render/gl.h"

#include <cstring>

#include "render/shaders.h"
#include "solver/core/error.h"

namespace purl {

namespace {

std::string shaderText(const std::string& name) {
    for (int i = 0; i < kShaderFileCount; ++i) {
        if (name != kShaderFiles[i].name) continue;
        std::string text = kShaderFiles[i].text;
        const std::string directive = "#include \"";
        for (size_t at; (at = text.find(directive)) != std::string::npos;) {
            const size_t begin = at + directive.size(), end = text.find('"', begin);
            text.replace(at, end + 1 - at, shaderText(text.substr(begin, end - begin)));
        }
        return text;
    }
    throw Error(name + ": no such shader");
}

GLenum shaderStage(const std::string& file) {
    const std::string ending = file.substr(file.rfind('.') + 1);
    return ending == "vert" ? GL_VERTEX_SHADER : ending == "geom" ? GL_GEOMETRY_SHADER : GL_FRAGMENT_SHADER;
}

}  // namespace

Gl::Symbol Gl::find(const char* name) const {
    void* address = context.function(name);
    if (!address) throw Error(std::string("OpenGL: the driver lacks ") + name + "; version 3.3 is required");
    return {address};
}

Handle makeBuffer(const Gl& gl, GLenum target, const void* data, size_t bytes) {
    GLuint id = 0;
    gl.GenBuffers(1, &id);
    Handle buffer(gl, id, [](const Gl& g, GLuint i) { g.DeleteBuffers(1, &i); });
    gl.BindBuffer(target, id);
    gl.BufferData(target, GLsizeiptr(bytes), data, GL_STATIC_DRAW);
    return buffer;
}

Handle makeVertexArray(const Gl& gl) {
    GLuint id = 0;
    gl.GenVertexArrays(1, &id);
    return {gl, id, [](const Gl& g, GLuint i) { g.DeleteVertexArrays(1, &i); }};
}

namespace {

Handle nameTexture(const Gl& gl, GLenum kind) {
    GLuint id = 0;
    gl.GenTextures(1, &id);
    gl.BindTexture(kind, id);
    return {gl, id, [](const Gl& g, GLuint i) { g.DeleteTextures(1, &i); }};
}

// Linear filtering, clamp to edge.
void setLinearFilter(const Gl& gl, GLenum kind) {
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
        gl.TexParameteri(kind, filter, GL_LINEAR);
    for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R})
        gl.TexParameteri(kind, wrap, GL_CLAMP_TO_EDGE);
}

// `attach` attaches the textures; `color`: whether one of them is a colour attachment.
template <class Attach>
Handle makeFramebuffer(const Gl& gl, bool color, const Attach& attach) {
    GLuint id = 0;
    gl.GenFramebuffers(1, &id);
    Handle target(gl, id, [](const Gl& g, GLuint i) { g.DeleteFramebuffers(1, &i); });
    gl.BindFramebuffer(GL_FRAMEBUFFER, id);
    attach();
    gl.DrawBuffer(color ? GL_COLOR_ATTACHMENT0 : GL_NONE);
    gl.ReadBuffer(color ? GL_COLOR_ATTACHMENT0 : GL_NONE);
    if (gl.CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        throw Error("OpenGL: the driver cannot create a framebuffer of this size; try a smaller image");
    return target;
}

}  // namespace

Handle makeTexture(const Gl& gl, GLenum format, int width, int height, int samples) {
    if (samples > 1) {
        Handle texture = nameTexture(gl, GL_TEXTURE_2D_MULTISAMPLE);
        gl.TexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, samples, format, width, height, GL_TRUE);
        return texture;
    }
    const bool depth = format == GL_DEPTH_COMPONENT32F;
    Handle texture = nameTexture(gl, GL_TEXTURE_2D);
    gl.TexImage2D(GL_TEXTURE_2D, 0, GLint(format), width, height, 0, depth ? GL_DEPTH_COMPONENT : GL_RGBA, GL_FLOAT,
                  nullptr);
    setLinearFilter(gl, GL_TEXTURE_2D);
    return texture;
}

Handle makeUint2Texture(const Gl& gl, int width, int height, const void* data) {
    Handle texture = nameTexture(gl, GL_TEXTURE_2D);
    gl.TexImage2D(GL_TEXTURE_2D, 0, GL_RG32UI, width, height, 0, GL_RG_INTEGER, GL_UNSIGNED_INT, data);
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
        gl.TexParameteri(GL_TEXTURE_2D, filter, GL_NEAREST);
    return texture;
}

Handle makeCube(const Gl& gl, GLenum format, int size) {
    Handle cube = nameTexture(gl, GL_TEXTURE_CUBE_MAP);
    for (GLenum side = 0; side < 6; ++side)
        gl.TexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + side, 0, GLint(format), size, size, 0, GL_RGBA, GL_FLOAT,
                      nullptr);
    setLinearFilter(gl, GL_TEXTURE_CUBE_MAP);
    return cube;
}

Handle makeShadowMaps(const Gl& gl, int size, int layers) {
    Handle maps = nameTexture(gl, GL_TEXTURE_2D_ARRAY);
    gl.TexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_DEPTH_COMPONENT32F, size, size, layers, 0, GL_DEPTH_COMPONENT, GL_FLOAT,
                  nullptr);
    setLinearFilter(gl, GL_TEXTURE_2D_ARRAY);
    gl.TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    gl.TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    return maps;
}

Handle makeTarget(const Gl& gl, GLuint color, GLuint depth, int samples) {
    const GLenum kind = samples > 1 ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D;
    return makeFramebuffer(gl, color != 0, [&] {
        if (color) gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, kind, color, 0);
        if (depth) gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, kind, depth, 0);
    });
}

Handle makeTargets(const Gl& gl, const std::vector<GLuint>& colors, GLuint depth) {
    Handle target = makeFramebuffer(gl, true, [&] {
        for (size_t i = 0; i < colors.size(); ++i)
            gl.FramebufferTexture2D(GL_FRAMEBUFFER, GLenum(GL_COLOR_ATTACHMENT0 + i), GL_TEXTURE_2D, colors[i], 0);
        gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth, 0);
    });
    std::vector<GLenum> places;
    for (size_t i = 0; i < colors.size(); ++i) places.push_back(GLenum(GL_COLOR_ATTACHMENT0 + i));
    gl.DrawBuffers(GLsizei(places.size()), places.data());
    return target;
}

Handle makeShadowTarget(const Gl& gl, GLuint maps, int layer) {
    return makeFramebuffer(gl, false,
                           [&] { gl.FramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, maps, 0, layer); });
}

Handle makeCubeTarget(const Gl& gl, GLuint cube, int side, GLuint depth) {
    return makeFramebuffer(gl, true, [&] {
        const auto face = GLenum(GL_TEXTURE_CUBE_MAP_POSITIVE_X + side);
        gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, face, cube, 0);
        gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth, 0);
    });
}

Handle makeVolume(const Gl& gl, GLenum format, int width, int height, int layers) {
    Handle volume = nameTexture(gl, GL_TEXTURE_3D);
    gl.TexImage3D(GL_TEXTURE_3D, 0, GLint(format), width, height, layers, 0, GL_RED, GL_FLOAT, nullptr);
    setLinearFilter(gl, GL_TEXTURE_3D);
    return volume;
}

Handle makeVolumeTarget(const Gl& gl, GLuint volume) {
    return makeFramebuffer(gl, true, [&] { gl.FramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, volume, 0); });
}

Program::Program(const Gl& gl, const std::vector<std::string>& files, const std::vector<std::string>& defined)
    : gl_(&gl), id_(gl, gl.CreateProgram(), [](const Gl& g, GLuint i) { g.DeleteProgram(i); }) {
    char log[2048] = "";
    GLint good = 0;
    for (const std::string& file : files) {
        std::string text = "#version 330 core\n";
        for (const std::string& word : defined) text += "#define " + word + "\n";
        text += shaderText(file);
        const char* pointer = text.c_str();
        const Handle shader(gl, gl.CreateShader(shaderStage(file)), [](const Gl& g, GLuint i) { g.DeleteShader(i); });
        gl.ShaderSource(shader, 1, &pointer, nullptr);
        gl.CompileShader(shader);
        gl.GetShaderiv(shader, GL_COMPILE_STATUS, &good);
        if (!good) {
            gl.GetShaderInfoLog(shader, sizeof log, nullptr, log);
            throw Error("render/shaders/" + file + ": " + log);
        }
        gl.AttachShader(id_, shader);
    }
    gl.LinkProgram(id_);
    gl.GetProgramiv(id_, GL_LINK_STATUS, &good);
    if (!good) {
        gl.GetProgramInfoLog(id_, sizeof log, nullptr, log);
        throw Error("render/shaders/" + files.back() + ": " + log);
    }
    const GLuint block = gl.GetUniformBlockIndex(id_, "ViewUniforms");
    if (block != GL_INVALID_INDEX) gl.UniformBlockBinding(id_, block, 0);
}

}  // namespace purl
