#include "solver/boundary/rigidFit.h"

namespace purl {
namespace {

// Right-handed orthonormal frame: x along ab, z along the normal of abc.
Mat3 frameOf(Vec3 a, Vec3 b, Vec3 c) {
    const Vec3 x = normalized(b - a, {1, 0, 0});
    const Vec3 z = normalized(cross(x, c - a), {0, 0, 1});
    return {x, cross(z, x), z};
}

}  // namespace

void RigidShape::set(const std::vector<Vec3>& vertices) {
    vertices_ = vertices;
    const auto farthest = [&](auto&& measure) {
        int best = 0;
        for (size_t i = 0; i < vertices_.size(); ++i)
            if (measure(vertices_[i]) > measure(vertices_[best])) best = static_cast<int>(i);
        return best;
    };
    if (vertices_.empty()) return;
    const Vec3 first = vertices_[0];
    const Vec3 a = vertices_[anchors_[0] = farthest([&](Vec3 p) { return lengthSquared(p - first); })];
    const Vec3 b = vertices_[anchors_[1] = farthest([&](Vec3 p) { return lengthSquared(p - a); })];
    anchors_[2] = farthest([&](Vec3 p) { return lengthSquared(cross(p - a, b - a)); });
}

bool RigidShape::fit(const std::vector<Vec3>& vertices, float tolerance, Pose& pose) const {
    pose = {};
    if (vertices.size() != vertices_.size()) return false;
    if (vertices == vertices_) return true;
    const Vec3 origin = vertices_[anchors_[0]], moved = vertices[anchors_[0]];
    const Mat3 before = frameOf(origin, vertices_[anchors_[1]], vertices_[anchors_[2]]);
    const Mat3 after = frameOf(moved, vertices[anchors_[1]], vertices[anchors_[2]]);
    pose.axes = after * transposed(before);
    pose.position = moved - pose.axes * origin;
    for (size_t i = 0; i < vertices.size(); ++i)
        if (!(lengthSquared(pose.toWorld(vertices_[i]) - vertices[i]) <= square(tolerance))) return false;
    return true;
}

}  // namespace purl
