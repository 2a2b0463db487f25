// Overlay: draws views over the picture of a program that owns the window and its OpenGL context, as Maya's viewport.
#pragma once
#include <memory>

#include "render/camera.h"
#include "render/view.h"

namespace purl {

// What the program around us sees with: world to view, view to clip cube, as OpenGL reads them, and the part of its
// framebuffer that it draws into.
struct Onlooker {
    Mat4 viewFromWorld, clipFromView;
    int x = 0, y = 0, width = 0, height = 0;
};

// A camera that sees the same. Parallel rays are those of an eye that is very far away; `behind`: how much farther than
// theirs. `size`: of what is shown. Film offsets are not followed.
Camera cameraOf(const Onlooker& onlooker, const Bounds& size, float& behind);

class Overlay {
  public:
    Overlay();  // throws Error where no context is current, or one without OpenGL 3.3
    // The same context must be current. Where it is not, what was made there is left to it.
    ~Overlay();
    Overlay(const Overlay&) = delete;
    Overlay& operator=(const Overlay&) = delete;

    // Over what the bound framebuffer holds, hidden where that is nearer; leaves OpenGL as it was. The view's camera is
    // the onlooker's.
    void draw(View view, const Onlooker& onlooker);

  private:
    struct Insides;
    std::unique_ptr<Insides> insides_;
};

}  // namespace purl
