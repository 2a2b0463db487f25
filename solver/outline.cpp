// Triangulates the surfaces of colliders.
#include <cmath>
#include <utility>

#include "solver/core/math.h"
#include "solver/scene.h"

namespace purl {
namespace {

// Rings of a sphere; its halves are moved apart along y.
TriangleMesh capsuleMesh(const Pose& pose, float radius, float halfLength) {
    constexpr int kRings = 24, kSegments = 48;
    std::vector<Vec3> vertices;
    std::vector<int> triangles;
    for (int ring = 0; ring <= kRings; ++ring)
        for (int segment = 0; segment < kSegments; ++segment) {
            const float up = 3.14159265f * (float(ring) / kRings - 0.5f),
                        around = 6.2831853f * float(segment) / kSegments;
            const float shift = ring * 2 < kRings ? -halfLength : halfLength;
            vertices.push_back(pose.toWorld(
                {radius * cos(up) * cos(around), radius * sin(up) + shift, -radius * cos(up) * sin(around)}));
        }
    for (int ring = 0; ring < kRings; ++ring)
        for (int segment = 0; segment < kSegments; ++segment) {
            const int a = ring * kSegments + segment, b = ring * kSegments + (segment + 1) % kSegments;
            triangles.insert(triangles.end(), {a, b, b + kSegments, a, b + kSegments, a + kSegments});
        }
    return {std::move(vertices), std::move(triangles)};
}

TriangleMesh boxMesh(const Pose& pose, Vec3 half) {
    TriangleMesh mesh;
    std::vector<Vec3>& vertices = mesh.vertices.edit();
    for (int corner = 0; corner < 8; ++corner)
        vertices.push_back(pose.toWorld(
            {corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y, corner & 4 ? half.z : -half.z}));
    mesh.triangles = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                      2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    return mesh;
}

}  // namespace

TriangleMesh outlineOf(const Collider& collider) {
    const ColliderParams& params = collider.params;
    switch (params.shape) {
        case ColliderShape::sphere: return capsuleMesh(collider.pose, params.radius, 0);
        case ColliderShape::capsule: return capsuleMesh(collider.pose, params.radius, params.halfLength);
        case ColliderShape::box: return boxMesh(collider.pose, params.halfSize);
        case ColliderShape::plane: return {};
        case ColliderShape::mesh: break;
    }
    return collider.mesh;
}

}  // namespace purl
