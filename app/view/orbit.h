// Orbit: a camera that tumbles, pans and dollies around a target, driven by mouse drags.
#pragma once
#include <optional>

#include "app/shot.h"
#include "render/camera.h"

namespace purl {

class Orbit {
  public:
    // Adopts the scene's camera; the target is on its axis, at the distance of the centre of `focus`.
    void takeOver(const Surroundings::SceneCamera& camera, const Bounds& focus);
    // Frames the bounds from the current direction.
    void frame(const Bounds& bounds, float aspect);

    // Angles in radians; panning in fractions of the image height.
    void turn(float around, float up);
    void pan(float right, float up);
    void zoom(float factor);  // factor on the distance

    Camera camera(float aspect) const;
    bool placed() const { return distance_ > 0; }
    Vec3 target() const { return target_; }

  private:
    Vec3 toCamera() const;

    Vec3 target_;
    float azimuth_ = 0.5f, elevation_ = 0.35f;  // radians: azimuth and elevation of the camera around the target
    float distance_ = 0;
    float heightTangent_ = 0.31f;        // tangent of half the vertical field of view
    std::optional<float> widthTangent_;  // tangent of half the horizontal field of view, for scene cameras
};

}  // namespace purl
