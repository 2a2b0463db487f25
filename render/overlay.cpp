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
constexpr float kOrthographicDistance = 1000;
constexpr size_t kMaxCachedSizes = 4;  // resolutions kept in memory: Maya shows up to four panels

std::unique_ptr<Context> requireCurrentContext() {
    std::unique_ptr<Context> context = currentContext();
    if (!context) throw Error("OpenGL: no context is current");
    return context;
}

}  // namespace

Camera cameraOf(const HostView& hostView, const Bounds& size, float& eyeOffset) {
    const float* v = hostView.viewFromWorld.m;
    const float* p = hostView.clipFromView.m;
    Camera camera;
    // the axes are the rows of the rotation; the eye is where the view transform is zero
    camera.axes.x = {v[0], v[4], v[8]};
    camera.axes.y = {v[1], v[5], v[9]};
    camera.axes.z = {v[2], v[6], v[10]};
    camera.position = -(v[12] * camera.axes.x + v[13] * camera.axes.y + v[14] * camera.axes.z);
    eyeOffset = 0;
    if (p[15] == 0) {
        camera.verticalFov = 2 * std::atan(1 / p[5]);
        return camera;
    }
    // p[5] is 1 / half the height of the orthographic view volume.
    const Vec3 middle = size.empty() ? Vec3{} : size.center();
    const float radius = size.empty() ? 1 : std::max(0.5f * length(size.size()), 1e-6f);
    const float currentDistance =
        dot(camera.position - middle, camera.axes.z);  // from the contents' centre to the eye, along the view axis
    const float distance = kOrthographicDistance * std::max(radius, 1 / p[5]);
    eyeOffset = distance - currentDistance;
    camera.position += eyeOffset * camera.axes.z;
    camera.verticalFov = 2 * std::atan(1 / p[5] / distance);
    return camera;
}

struct Overlay::Impl {
    std::unique_ptr<Context> context = requireCurrentContext();
    Gl gl{*context};
    struct SizedPasses {
        int width, height;
        std::unique_ptr<Passes> passes;
    };
    std::deque<SizedPasses> passesBySize;  // most recently used first

    Passes& passesFor(int width, int height) {
        const auto found = std::find_if(passesBySize.begin(), passesBySize.end(),
                                        [&](const SizedPasses& s) { return s.width == width && s.height == height; });
        if (found == passesBySize.end()) {
            passesBySize.push_front({width, height, std::make_unique<Passes>(gl, width, height)});
            if (passesBySize.size() > kMaxCachedSizes) passesBySize.pop_back();
        } else {
            std::rotate(passesBySize.begin(), found, found + 1);
        }
        return *passesBySize.front().passes;
    }
};

Overlay::Overlay() : impl_(std::make_unique<Impl>()) {
    GLint major = 0, minor = 0;
    impl_->gl.GetIntegerv(GL_MAJOR_VERSION, &major);
    impl_->gl.GetIntegerv(GL_MINOR_VERSION, &minor);
    if (10 * major + minor < 33)
        throw Error("OpenGL " + std::to_string(major) + "." + std::to_string(minor) +
                    ": 3.3 is needed; choose OpenGL - Core Profile in the viewport's settings");
}

Overlay::~Overlay() {
    if (!currentContext()) static_cast<void>(impl_.release());  // without a context GL objects cannot be deleted
}

void Overlay::draw(View view, const HostView& hostView) {
    if (hostView.width < 1 || hostView.height < 1) return;
    CompositeTarget target;
    target.x = hostView.x;
    target.y = hostView.y;
    target.clipFromView = hostView.clipFromView;
    view.camera = cameraOf(hostView, boundsOf(view), target.eyeOffset);
    const GlState state(impl_->gl);
    GLint framebuffer = 0;
    impl_->gl.GetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &framebuffer);
    target.framebuffer = GLuint(framebuffer);
    impl_->passesFor(hostView.width, hostView.height).drawOver(view, target);
}

}  // namespace purl
