#include "app/view/pick.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace purl {
namespace {

constexpr float kInfinite = std::numeric_limits<float>::infinity();
constexpr double kReach = 6;  // pixels

// Möller and Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection" (1997).
float hitTriangle(const Ray& ray, Vec3 a, Vec3 b, Vec3 c) {
    const Vec3 e1 = b - a, e2 = c - a, p = cross(ray.along, e2);
    const float det = dot(e1, p);
    if (det == 0) return kInfinite;
    const Vec3 s = ray.from - a;
    const float u = dot(s, p) / det;
    if (u < 0 || u > 1) return kInfinite;
    const Vec3 q = cross(s, e1);
    const float v = dot(ray.along, q) / det;
    if (v < 0 || u + v > 1) return kInfinite;
    const float t = dot(e2, q) / det;
    return t > 0 ? t : kInfinite;
}

float hitMesh(const Ray& ray, const Mesh& mesh) {
    float nearest = kInfinite;
    for (size_t i = 0; i + 2 < mesh.triangles.size(); i += 3)
        nearest = std::min(nearest, hitTriangle(ray, mesh.positions[size_t(mesh.triangles[i])],
                                                mesh.positions[size_t(mesh.triangles[i + 1])],
                                                mesh.positions[size_t(mesh.triangles[i + 2])]));
    return nearest;
}

float hitBall(const Ray& ray, Vec3 center, float radius) {
    const float along = dot(center - ray.from, ray.along);
    if (along <= 0) return kInfinite;
    const float off = lengthSquared(center - ray.from) - along * along;
    return off > radius * radius ? kInfinite : along - std::sqrt(radius * radius - off);
}

struct Hit {
    std::string name;
    float distance = kInfinite;
    void take(const std::string& other, float at) {
        if (at >= distance) return;
        name = other;
        distance = at;
    }
};

// Particles are drawn if asked for, and of bodies without a mesh.
void hitPoints(Hit& hit, const Frame& frame, const Ray& ray, bool all) {
    const Points& points = frame.points;
    std::vector<char> drawn(frame.bodies.size(), 1);
    for (size_t b = 0; b < frame.bodies.size() && !all; ++b)
        for (const Mesh& mesh : frame.meshes)
            if (mesh.name == frame.bodies[b].name) drawn[b] = 0;
    if (points.bodies.size() != points.count()) return;
    for (size_t i = 0; i < points.count(); ++i) {
        const auto body = size_t(points.bodies[i]);
        if (!drawn[body]) continue;
        const float radius =
            points.radii.size() == points.count() ? points.radii[i] : 0.5f * frame.bodies[body].spacing;
        hit.take(frame.bodies[body].name, hitBall(ray, points.positions[i], radius));
    }
}

Hit hitAnything(const Moment& moment, const Ray& ray, bool points) {
    Hit hit;
    for (const Surroundings::Solid& solid : moment.around.solids) hit.take(solid.mesh.name, hitMesh(ray, solid.mesh));
    for (const Mesh& mesh : moment.frame->meshes)
        if (!points || mesh.kind != MeshKind::liquid) hit.take(mesh.name, hitMesh(ray, mesh));
    hitPoints(hit, *moment.frame, ray, points);
    return hit;
}

// Yarns are thin: the nearest one within some pixels.
void hitYarns(Hit& hit, const Frame& frame, const Projection& projection, Pixel at) {
    for (const Curves& curves : frame.curves) {
        size_t first = 0;
        for (const int count : curves.counts) {
            for (size_t i = first + 1; i < first + size_t(count); ++i) {
                const auto a = projection.pixelOf(curves.positions[i - 1]), b = projection.pixelOf(curves.positions[i]);
                if (a && b && distanceTo(at, *a, *b) <= kReach)
                    hit.take(curves.name, length(curves.positions[i] - projection.camera().position));
            }
            first += size_t(count);
        }
    }
}

double distanceToWire(const SceneObject& object, const Projection& projection, Pixel at) {
    double nearest = kReach + 1;
    for (size_t i = 0; i + 1 < object.wire.size(); i += 2) {
        const auto a = projection.pixelOf(object.wire[i]), b = projection.pixelOf(object.wire[i + 1]);
        if (a && b) nearest = std::min(nearest, distanceTo(at, *a, *b));
    }
    return nearest;
}

}  // namespace

std::string pickAt(const Moment& moment, const Objects& objects, const Projection& projection, Pixel at,
                   const PickOptions& options) {
    const auto nameOf = [](const SceneObject& object) { return object.body.empty() ? object.transform : object.body; };
    // Guides are drawn over the image.
    const SceneObject* nearest = nullptr;
    double best = kReach;
    for (const SceneObject& object : objects) {
        if (!object.isGuide || !options.guides) continue;
        const double distance = distanceToWire(object, projection, at);
        if (distance > best) continue;
        best = distance;
        nearest = &object;
    }
    if (nearest) return nameOf(*nearest);
    Hit hit = hitAnything(moment, projection.rayAt(at), options.points);
    hitYarns(hit, *moment.frame, projection, at);
    if (!hit.name.empty()) {
        for (const SceneObject& object : objects)
            if (object.shape == hit.name) return nameOf(object);
        return hit.name;
    }
    // The edges of containers.
    for (const SceneObject& object : objects) {
        if (object.kind != PanelKind::collider) continue;
        const double distance = distanceToWire(object, projection, at);
        if (distance > best) continue;
        best = distance;
        nearest = &object;
    }
    return nearest ? nameOf(*nearest) : std::string();
}

}  // namespace purl
