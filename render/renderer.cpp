#include "render/renderer.h"

#include <algorithm>

#include "render/passes.h"
#include "solver/core/error.h"

namespace purl {

struct Renderer::Insides {
    std::unique_ptr<Context> context;
    std::unique_ptr<Context::Current> current;  // only while rendering or destroying
    Gl gl;
    int width, height;
    std::unique_ptr<Passes> passes;
    Handle color, target;

    Insides(int w, int h, ContextKind kind)
        : context(openContext(kind)), current(context->makeCurrent()), gl(*context), width(w), height(h) {
        GLint most = 0;
        gl.GetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
        if (w < 1 || h < 1 || w > most || h > most) {
            throw Error("picture: a size of " + std::to_string(w) + " x " + std::to_string(h) +
                        " cannot be drawn; use 1 to " + std::to_string(most));
        }
        passes = std::make_unique<Passes>(gl, w, h);
        color = makeTexture(gl, GL_RGBA8, w, h);
        target = makeTarget(gl, color, 0);
        current.reset();
    }
    ~Insides() {
        current = context->makeCurrent();
        target = Handle();
        color = Handle();
        passes.reset();
        current.reset();
    }
};

Renderer::Renderer(int width, int height, ContextKind kind)
    : insides_(std::make_unique<Insides>(width, height, kind)) {}

Renderer::~Renderer() = default;

const std::vector<PassRecord>& Renderer::passes() const { return insides_->passes->records(); }

void Renderer::measure(bool on) { insides_->passes->measure(on); }

const std::vector<PassTime>& Renderer::times() const { return insides_->passes->times(); }

int Renderer::quads() const { return insides_->passes->quads(); }

size_t Renderer::bytesOfQuads() const { return insides_->passes->bytesOfQuads(); }

Picture Renderer::draw(const View& view, PictureLayers* layers) {
    Insides& in = *insides_;
    const auto current = in.context->makeCurrent();
    in.passes->draw(view, in.target, layers);

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
