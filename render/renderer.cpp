#include "render/renderer.h"

#include <algorithm>

#include "render/passes.h"
#include "solver/core/error.h"

namespace purl {

struct Renderer::Impl {
    std::unique_ptr<Context> context;
    std::unique_ptr<Context::Current> current;  // only while rendering or destroying
    Gl gl;
    int width, height;
    std::unique_ptr<Passes> passes;
    Handle color, target;

    Impl(int w, int h, ContextKind kind)
        : context(openContext(kind)), current(context->makeCurrent()), gl(*context), width(w), height(h) {
        GLint most = 0;
        gl.GetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
        if (w < 1 || h < 1 || w > most || h > most) {
            throw Error("image size " + std::to_string(w) + " x " + std::to_string(h) + " is not supported; use 1 to " +
                        std::to_string(most) + " pixels per side");
        }
        passes = std::make_unique<Passes>(gl, w, h);
        color = makeTexture(gl, GL_RGBA8, w, h);
        target = makeTarget(gl, color, 0);
        current.reset();
    }
    ~Impl() {
        current = context->makeCurrent();
        target = Handle();
        color = Handle();
        passes.reset();
        current.reset();
    }
};

Renderer::Renderer(int width, int height, ContextKind kind) : impl_(std::make_unique<Impl>(width, height, kind)) {}

Renderer::~Renderer() = default;

const std::vector<PassRecord>& Renderer::passes() const { return impl_->passes->records(); }

void Renderer::measure(bool on) { impl_->passes->measure(on); }

const std::vector<PassTime>& Renderer::times() const { return impl_->passes->times(); }

int Renderer::quads() const { return impl_->passes->quads(); }

size_t Renderer::quadBytes() const { return impl_->passes->quadBytes(); }

Picture Renderer::draw(const View& view, Aovs* aovs) {
    Impl& in = *impl_;
    const auto current = in.context->makeCurrent();
    in.passes->draw(view, in.target, aovs);

    Picture picture{in.width, in.height, {}};
    const size_t row = 4 * size_t(in.width), rows = size_t(in.height);
    std::vector<uint8_t> upsideDown(row * rows);
    in.gl.BindFramebuffer(GL_FRAMEBUFFER, in.target);
    in.gl.PixelStorei(GL_PACK_ALIGNMENT, 1);
    in.gl.ReadPixels(0, 0, in.width, in.height, GL_RGBA, GL_UNSIGNED_BYTE, upsideDown.data());
    if (const GLenum error = in.gl.GetError()) throw Error("OpenGL: error " + std::to_string(error) + " while drawing");
    picture.rgba.resize(upsideDown.size());
    for (size_t y = 0; y < rows; ++y) { std::copy_n(&upsideDown[(rows - 1 - y) * row], row, &picture.rgba[y * row]); }
    return picture;
}

}  // namespace purl
