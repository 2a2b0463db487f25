#include "render/overlay.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include "render/glState.h"
#include "render/passes.h"
#include "solver/core/error.h"

namespace purl {

namespace {

// Distance, in scene radii, of the eye that stands in for an orthographic camera: sizes are off by one part in a
// thousand.
constexpr float kFarAway = 1000;
constexpr size_t kSizes = 4;  // resolutions kept in memory: Maya shows up to four panels

std::unique_ptr<Context> neededContext() {
    std::unique_ptr<Context> context = currentContext();
    if (!context) throw Error("OpenGL: no context is current");
    return context;
}

}  // namespace

Camera cameraOf(const Onlooker& onlooker, const Bounds& size, float& behind) {
    const float* v = onlooker.viewFromWorld.m;
    const float* p = onlooker.clipFromView.m;
    Camera camera;
    // the axes are the rows of the rotation; the eye is where the view transform is zero
    camera.axes.x = {v[0], v[4], v[8]};
    camera.axes.y = {v[1], v[5], v[9]};
    camera.axes.z = {v[2], v[6], v[10]};
    camera.position = -(v[12] * camera.axes.x + v[13] * camera.axes.y + v[14] * camera.axes.z);
    behind = 0;
    if (p[15] == 0) {
        camera.verticalFov = 2 * std::atan(1 / p[5]);
        return camera;
    }
    // p[5] is 1 / half the height of the orthographic view volume.
    const Vec3 middle = size.empty() ? Vec3{} : size.center();
    const float radius = size.empty() ? 1 : std::max(0.5f * length(size.size()), 1e-6f);
    const float ahead =
        dot(camera.position - middle, camera.axes.z);  // from the contents' centre to the eye, along the view axis
    const float away = kFarAway * std::max(radius, 1 / p[5]);
    behind = away - ahead;
    camera.position += behind * camera.axes.z;
    camera.verticalFov = 2 * std::atan(1 / p[5] / away);
    return camera;
}

struct Overlay::Insides {
    std::unique_ptr<Context> context = neededContext();
    Gl gl{*context};
    struct Sized {
        int width, height;
        std::unique_ptr<Passes> passes;
    };
    std::deque<Sized> sized;  // most recently used first

    Passes& passesFor(int width, int height) {
        const auto found = std::find_if(sized.begin(), sized.end(),
                                        [&](const Sized& s) { return s.width == width && s.height == height; });
        if (found == sized.end()) {
            sized.push_front({width, height, std::make_unique<Passes>(gl, width, height)});
            if (sized.size() > kSizes) sized.pop_back();
        } else {
            std::rotate(sized.begin(), found, found + 1);
        }
        return *sized.front().passes;
    }
};

Overlay::Overlay() : insides_(std::make_unique<Insides>()) {
    GLint major = 0, minor = 0;
    insides_->gl.GetIntegerv(GL_MAJOR_VERSION, &major);
    insides_->gl.GetIntegerv(GL_MINOR_VERSION, &minor);
    if (10 * major + minor < 33)
        throw Error("OpenGL " + std::to_string(major) + "." + std::to_string(minor) +
                    ": 3.3 is needed; choose OpenGL - Core Profile in the viewport's settings");
}

Overlay::~Overlay() {
    if (!currentContext()) static_cast<void>(insides_.release());  // without a context GL objects cannot be deleted
}

void Overlay::draw(View view, const Onlooker& onlooker) {
    if (onlooker.width < 1 || onlooker.height < 1) return;
    Underlay under;
    under.x = onlooker.x;
    under.y = onlooker.y;
    under.clipFromView = onlooker.clipFromView;
    view.camera = cameraOf(onlooker, boundsOf(view), under.behind);
    const GlState state(insides_->gl);
    GLint target = 0;
    insides_->gl.GetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
    under.framebuffer = GLuint(target);
    insides_->passesFor(onlooker.width, onlooker.height).drawOver(view, under);
}

}  // namespace purl
