#include "app/view/gizmo.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace purl {
namespace {

constexpr double kHandlePixels = 90, kHandleReach = 8;
constexpr float kFullTurn = 6.2831853f;

host::Vec3d wide(Vec3 p) { return {double(p.x), double(p.y), double(p.z)}; }

// Without its translation.
host::Mat4d linearPart(host::Mat4d m) {
    m[12] = m[13] = m[14] = 0;
    return m;
}

// Rotation of row vectors by `angle` about a unit axis. (Rodrigues' formula)
host::Mat4d turned(Vec3 axis, double angle) {
    const double c = std::cos(angle), s = std::sin(angle), x = double(axis.x), y = double(axis.y), z = double(axis.z);
    return {c + x * x * (1 - c),
            x * y * (1 - c) + z * s,
            x * z * (1 - c) - y * s,
            0,
            x * y * (1 - c) - z * s,
            c + y * y * (1 - c),
            y * z * (1 - c) + x * s,
            0,
            x * z * (1 - c) + y * s,
            y * z * (1 - c) - x * s,
            c + z * z * (1 - c),
            0,
            0,
            0,
            0,
            1};
}

host::Mat4d about(const host::Vec3d& center, const host::Mat4d& m) {
    return host::multiply(host::multiply(host::translation({-center[0], -center[1], -center[2]}), m),
                          host::translation(center));
}

}  // namespace

Gizmo::Gizmo(Tool tool, const SceneObject& object, const Projection& projection)
    : tool_(tool), object_(object), projection_(projection) {
    const host::TransformParts& parts = object.parts;
    host::Vec3d pivot;  // what stays when the object is rotated
    for (size_t k = 0; k < 3; ++k) pivot[k] = parts.translate[k] + parts.rotatePivot[k] + parts.rotatePivotTranslate[k];
    pivot = host::transformPoint(pivot, object.parent);
    pivot_ = {static_cast<float>(pivot[0]), static_cast<float>(pivot[1]), static_cast<float>(pivot[2])};
    for (int k = 0; k < 3; ++k) {
        axes_[k] = {k == 0 ? 1.0f : 0, k == 1 ? 1.0f : 0, k == 2 ? 1.0f : 0};
        // Scales act along the object's own axes.
        const auto row = size_t(4 * k);
        if (tool == Tool::scale)
            axes_[k] = normalized({static_cast<float>(object.world[row]), static_cast<float>(object.world[row + 1]),
                                   static_cast<float>(object.world[row + 2])},
                                  axes_[k]);
    }
    length_ = static_cast<float>(kHandlePixels * projection.pixelSize(pivot_));
    const auto center = projection.pixelOf(pivot_);
    if (tool == Tool::select || !center) return;
    for (int k = 0; k < 3; ++k) {
        GizmoHandle handle;
        handle.axis = k;
        if (tool == Tool::rotate) {
            constexpr int kParts = 48;
            const Vec3 u = axes_[(k + 1) % 3], v = axes_[(k + 2) % 3];
            for (int i = 0; i <= kParts; ++i) {
                const float angle = kFullTurn * float(i) / kParts;
                if (const auto p = projection.pixelOf(pivot_ + length_ * (std::cos(angle) * u + std::sin(angle) * v)))
                    handle.line.push_back(*p);
            }
        } else if (const auto tip = projection.pixelOf(pivot_ + length_ * axes_[k])) {
            handle.line = {*center, *tip};
            handle.closed = true;
        }
        handles_.push_back(std::move(handle));
    }
    if (tool != Tool::rotate) handles_.push_back({3, {*center}, true});
}

int Gizmo::axisAt(Pixel at) const {
    int axis = -1;
    double best = kHandleReach;
    for (const GizmoHandle& handle : handles_)
        for (size_t i = 0; i < handle.line.size(); ++i) {
            // The centre wins near it, where all axes meet.
            const double reach = handle.axis == 3 ? -1 : 0;
            const double distance = distanceTo(at, handle.line[i], handle.line[i + 1 < handle.line.size() ? i + 1 : i]);
            if (distance > kHandleReach || distance + reach * kHandleReach > best) continue;
            best = distance + reach * kHandleReach;
            axis = handle.axis;
        }
    return axis;
}

// Where the ray through a pixel comes closest to an axis, as a distance from the pivot.
double Gizmo::along(int axis, Pixel at) const {
    const Ray ray = projection_.rayAt(at);
    const Vec3 a = axes_[axis], w = pivot_ - ray.from;
    const double b = double(dot(a, ray.along)), d = double(dot(a, w)), e = double(dot(ray.along, w));
    const double det = 1 - b * b;
    return det < 1e-6 ? 0 : (b * e - d) / det;  // looking along the axis moves nothing
}

Vec3 Gizmo::inPlane(Vec3 normal, Pixel at) const {
    const Ray ray = projection_.rayAt(at);
    const float slope = dot(ray.along, normal);
    if (std::abs(slope) < 1e-4f) return pivot_;
    return ray.from + (dot(pivot_ - ray.from, normal) / slope) * ray.along;
}

Gizmo::Drag Gizmo::drag(int axis, Pixel from, Pixel to) const {
    if (tool_ == Tool::rotate) return rotate(axis, from, to);
    return tool_ == Tool::scale ? scale(axis, from, to) : move(axis, from, to);
}

Gizmo::Drag Gizmo::move(int axis, Pixel from, Pixel to) const {
    const Vec3 view = projection_.camera().axes.z;
    const Vec3 by = axis == 3 ? inPlane(view, to) - inPlane(view, from)
                              : static_cast<float>(along(axis, to) - along(axis, from)) * axes_[axis];
    Drag drag;
    drag.moved = host::translation(wide(by));
    const host::Vec3d local = host::transformPoint(wide(by), host::inverse(linearPart(object_.parent)));
    for (size_t k = 0; k < 3; ++k) drag.value[k] = (object_.parts.translate[k] + local[k]) / object_.cmPerUnit;
    return drag;
}

Gizmo::Drag Gizmo::rotate(int axis, Pixel from, Pixel to) const {
    const Vec3 normal = axes_[axis % 3];
    const Vec3 a = inPlane(normal, from) - pivot_, b = inPlane(normal, to) - pivot_;
    double angle = std::atan2(double(dot(normal, cross(a, b))), double(dot(a, b)));
    // Edge on, the plane's points say little: a drag along the ring's image turns it.
    if (std::abs(dot(normal, projection_.camera().axes.z)) < 0.1f)
        angle = (to.x - from.x + from.y - to.y) / kHandlePixels;
    Drag drag;
    drag.placement = Placement::rotate;
    const host::Mat4d turn = turned(normal, angle);
    drag.moved = about(wide(pivot_), turn);
    const host::Mat4d world = host::multiply(linearPart(object_.world), turn);
    const host::Mat4d local = host::multiply(world, host::inverse(linearPart(object_.parent)));
    const host::Vec3d radians = host::decompose(local, object_.parts.rotateOrder).rotate;
    for (size_t k = 0; k < 3; ++k) {
        // Of the equal angles the one nearest to the former.
        const double turns = std::round((object_.parts.rotate[k] - radians[k]) / double(kFullTurn));
        drag.value[k] = (radians[k] + turns * double(kFullTurn)) / object_.radiansPerUnit;
    }
    return drag;
}

Gizmo::Drag Gizmo::scale(int axis, Pixel from, Pixel to) const {
    constexpr double kMinFactor = 0.01;
    const double factor =
        std::max(kMinFactor, axis == 3 ? std::exp((to.x - from.x + from.y - to.y) / (2 * kHandlePixels))
                                       : 1 + (along(axis, to) - along(axis, from)) / double(length_));
    Drag drag;
    drag.placement = Placement::scale;
    host::Vec3d factors{1, 1, 1};
    for (int k = 0; k < 3; ++k)
        if (axis == 3 || axis == k) factors[size_t(k)] = factor;
    for (size_t k = 0; k < 3; ++k) drag.value[k] = object_.parts.scale[k] * factors[k];
    const host::Mat4d local = about(object_.parts.scalePivot, host::scaling(factors));
    drag.moved = host::multiply(host::multiply(host::inverse(object_.world), local), object_.world);
    return drag;
}

std::string Gizmo::text(const Drag& drag) {
    std::string text;
    for (const double number : drag.value) {
        char buffer[32];
        // Six digits after the point: a nanometre in a scene in centimetres.
        std::snprintf(buffer, sizeof buffer, "%.6f", number == 0 ? 0.0 : number);
        std::string word = buffer;
        word.erase(word.find_last_not_of('0') + 1);
        if (word.back() == '.') word.pop_back();
        text += (text.empty() ? "" : " ") + (word == "-0" ? "0" : word);
    }
    return text;
}

}  // namespace purl
