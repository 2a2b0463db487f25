// Projection: between world space and the pixels of an image.
#pragma once
#include <cmath>
#include <optional>

#include "render/camera.h"

namespace purl {

struct Pixel {
    double x = 0, y = 0;  // from the upper left corner
};

struct Ray {
    Vec3 from, along;  // `along` is a unit vector
};

class Projection {
  public:
    Projection(const Camera& camera, double width, double height)
        : camera_(camera), width_(width), height_(height), tangent_(std::tan(0.5 * double(camera.verticalFov))) {}

    // Distance along the view direction; negative behind the camera.
    double depthOf(Vec3 p) const { return -double(dot(p - camera_.position, camera_.axes.z)); }
    // Nullopt behind the camera.
    std::optional<Pixel> pixelOf(Vec3 p) const {
        const double depth = depthOf(p);
        if (depth < 1e-6) return std::nullopt;
        const Vec3 d = p - camera_.position;
        const double scale = 0.5 * height_ / (tangent_ * depth);
        return Pixel{0.5 * width_ + scale * double(dot(d, camera_.axes.x)),
                     0.5 * height_ - scale * double(dot(d, camera_.axes.y))};
    }
    Ray rayAt(Pixel at) const {
        const double x = (at.x - 0.5 * width_) * 2 * tangent_ / height_,
                     y = (0.5 * height_ - at.y) * 2 * tangent_ / height_;
        return {camera_.position, normalized(static_cast<float>(x) * camera_.axes.x +
                                             static_cast<float>(y) * camera_.axes.y - camera_.axes.z)};
    }
    // Size of a pixel at a point, in world units.
    double pixelSize(Vec3 p) const { return 2 * tangent_ * std::max(depthOf(p), 1e-6) / height_; }
    const Camera& camera() const { return camera_; }

  private:
    Camera camera_;
    double width_, height_, tangent_;
};

// Distance in pixels from a point to a segment.
inline double distanceTo(Pixel p, Pixel a, Pixel b) {
    const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
    double t = square > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

}  // namespace purl
