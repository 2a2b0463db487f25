// Overlay: composites views over the image of an application that owns the window and its OpenGL context, such as
// Maya's viewport.
#pragma once
#include <memory>

#include "render/camera.h"
#include "render/view.h"

namespace purl {

// The host application's view and projection matrices (column-major) and the viewport it draws into.
struct HostView {
    Mat4 viewFromWorld, clipFromView;
    int x = 0, y = 0, width = 0, height = 0;
};

// The equivalent perspective camera. Orthographic projections are approximated by a very distant eye; `eyeOffset` is
// how much farther away it is than the host's. `size`: bounds of the contents. Film offsets are not supported.
Camera cameraOf(const HostView& hostView, const Bounds& size, float& eyeOffset);

class Overlay {
  public:
    Overlay();  // throws Error if no context is current or it lacks OpenGL 3.3
    // The same context must be current; otherwise the GL objects are leaked to it.
    ~Overlay();
    Overlay(const Overlay&) = delete;
    Overlay& operator=(const Overlay&) = delete;

    // Draws over the bound framebuffer with its depth test and restores the OpenGL state. Replaces the view's camera by
    // the host's.
    void draw(View view, const HostView& hostView);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace purl
