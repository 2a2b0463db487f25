// Orbit: a camera that goes around a point, as artists move it by dragging.
#pragma once
#include <optional>

#include "app/shot.h"
#include "render/camera.h"

namespace purl {

class Orbit {
  public:
    // Takes the scene's camera over; it goes around what it looks at, as far away as the middle of `focus`.
    void takeOver(const Surroundings::SceneCamera& camera, const Bounds& focus);
    // Holds all of the bounds, seen from where it is now (or, at first, from a little above).
    void frame(const Bounds& bounds, float aspect);

    // Angles in radians; shares of the picture's height.
    void turn(float around, float up);
    void pan(float right, float up);
    void zoom(float factor);  // of the distance

    Camera camera(float aspect) const;
    bool placed() const { return distance_ > 0; }

  private:
    Vec3 forward() const;

    Vec3 target_;
    float around_ = 0.5f, up_ = 0.35f;  // radians: of the way from the target to the camera
    float distance_ = 0;
    float heightTangent_ = 0.31f;        // of half the angle from the picture's lower edge to its upper
    std::optional<float> widthTangent_;  // where the scene's camera fills the picture's width
};

}  // namespace purl
