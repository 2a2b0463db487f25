#include "app/view/orbit.h"

#include <algorithm>
#include <cmath>

namespace purl {
namespace {

constexpr float kMaxElevation = 1.55f;  // radians: maximum elevation; at the pole up is undefined

}  // namespace

// Unit vector from the target to the camera.
Vec3 Orbit::toCamera() const {
    return {std::cos(elevation_) * std::sin(azimuth_), std::sin(elevation_), std::cos(elevation_) * std::cos(azimuth_)};
}

void Orbit::takeOver(const Surroundings::SceneCamera& camera, const Bounds& focus) {
    const Vec3 back = camera.pose.axes.z;
    elevation_ = std::clamp(std::asin(std::clamp(back.y, -1.0f, 1.0f)), -kMaxElevation, kMaxElevation);
    azimuth_ = std::atan2(back.x, back.z);
    const float away = focus.empty() ? 0 : dot(camera.pose.position - focus.center(), back);
    distance_ = away > 0 ? away : 1;
    target_ = camera.pose.position - distance_ * back;
    widthTangent_ = static_cast<float>(camera.widthTangent);
}

void Orbit::frame(const Bounds& bounds, float aspect) {
    if (bounds.empty()) return;
    target_ = bounds.center();
    const float radius = std::max(0.5f * length(bounds.high - bounds.low), 1e-6f);
    const float narrow = std::tan(camera(aspect).verticalFov / 2) * std::min(1.0f, aspect);
    distance_ = 0.92f * radius / std::sin(std::atan(narrow));
}

void Orbit::turn(float around, float up) {
    azimuth_ += around;
    elevation_ = std::clamp(elevation_ + up, -kMaxElevation, kMaxElevation);
}

void Orbit::pan(float right, float up) {
    const Camera now = camera(1);
    const float height = 2 * distance_ * heightTangent_;
    target_ = target_ - (right * height) * now.axes.x - (up * height) * now.axes.y;
}

void Orbit::zoom(float factor) { distance_ *= std::clamp(factor, 0.05f, 20.0f); }

Camera Orbit::camera(float aspect) const {
    Camera camera = lookAt(target_ + std::max(distance_, 1e-6f) * toCamera(), target_);
    const float tangent = widthTangent_ ? *widthTangent_ / aspect : heightTangent_;
    camera.verticalFov = 2 * std::atan(tangent);
    return camera;
}

}  // namespace purl
