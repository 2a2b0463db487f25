#include "solver/contact/colliders.h"

#include <algorithm>
#include <cmath>

#include "solver/contact/contacts.h"
#include "solver/contact/motion.h"
#include "solver/core/error.h"
#include "solver/core/forEach.h"

namespace purl {

namespace {

float largestCoordinate(const Bounds& box) {
    const Vec3 m = max(max(box.low, -box.low), max(box.high, -box.high));
    return m.x > m.y ? (m.x > m.z ? m.x : m.z) : (m.y > m.z ? m.y : m.z);
}

void between(const std::vector<Vec3>& a, const std::vector<Vec3>& b, float share, std::vector<Vec3>& result) {
    if (share >= 1 || a.size() != b.size()) {
        result = b;
        return;
    }
    result.resize(b.size());
    for (size_t i = 0; i < b.size(); ++i) result[i] = share <= 0 || a[i] == b[i] ? a[i] : lerp(a[i], b[i], share);
}

// m, how far from its place a turn moves a primitive's points.
double reachOf(const ColliderParams& params) {
    switch (params.shape) {
        case ColliderShape::box: return length(params.halfSize);
        case ColliderShape::capsule: return params.halfLength;
        default: return 0;
    }
}

// rad:   |A − B|² = 8 sin²(θ/2), of all nine entries
double angleBetween(const Mat3& a, const Mat3& b) {
    const double squares = double(lengthSquared(a.x - b.x)) + lengthSquared(a.y - b.y) + lengthSquared(a.z - b.z);
    return 2 * std::asin(std::min(1.0, std::sqrt(squares / 8)));
}

// m, the longest way of any of its points.
double wayOf(const Collider& collider, const ColliderPlace& from) {
    const Pose& to = collider.pose;
    if (collider.params.shape != ColliderShape::mesh)
        return length(to.position - from.pose.position) +
               reachOf(collider.params) * angleBetween(from.pose.axes, to.axes);
    const std::vector<Vec3>& vertices = collider.mesh.vertices;
    float longest2 = 0;
    for (size_t i = 0; i < vertices.size() && vertices.size() == from.vertices.size(); ++i)
        longest2 = std::max(longest2, lengthSquared(vertices[i] - from.vertices[i]));
    return std::sqrt(double(longest2));
}

}  // namespace

double fastestCollider(const Scene& scene, const std::vector<ColliderPlace>& from, double duration) {
    double way = 0;
    for (size_t i = 0; i < scene.colliders.size() && i < from.size(); ++i)
        if (!from[i].rigid) way = std::max(way, wayOf(scene.colliders[i], from[i]));
    return duration > 0 ? way / duration : 0;
}

std::vector<ColliderPlace> placesOf(const Scene& scene) {
    std::vector<ColliderPlace> places;
    for (const Collider& collider : scene.colliders) {
        places.emplace_back();
        places.back().pose = collider.pose;
        if (collider.params.shape == ColliderShape::mesh) places.back().vertices = collider.mesh.vertices;
    }
    return places;
}

Colliders::Colliders(const Device& device) : device_(device), placed_(device) {}

void Colliders::moveTo(const Scene& scene, const std::vector<ColliderPlace>& from, float shareBefore, float shareAfter,
                       float dt, Shares ofStep) {
    device_.synchronize();
    const size_t count = scene.colliders.size();
    while (meshes_.size() < count) meshes_.push_back({TriangleTree(device_), {}, {}, {}});
    meshes_.erase(meshes_.begin() + static_cast<std::ptrdiff_t>(count), meshes_.end());
    placed_.resize(static_cast<int>(count));
    // A step of no length has no motion either: what stands elsewhere afterwards was put there.
    const Shares ofFrame{dt > 0 ? shareBefore : shareAfter, shareAfter};
    for (size_t i = 0; i < count; ++i) {
        const Collider& collider = scene.colliders[i];
        const bool dynamic = collider.params.motion == ColliderMotion::dynamic;
        place(collider, i < from.size() ? &from[i] : nullptr, dynamic ? ofStep : ofFrame, meshes_[i],
              placed_[static_cast<int>(i)]);
    }
    anyKills_ = std::any_of(placed_.begin(), placed_.end(), [](const PlacedCollider& c) { return c.kills; });
}

void Colliders::place(const Collider& collider, const ColliderPlace* from, Shares shares, MovingMesh& mesh,
                      PlacedCollider& placed) const {
    const ColliderParams& params = collider.params;
    placed = PlacedCollider();
    placed.shape = params.shape;
    placed.container = params.container;
    placed.kills = params.effect == ColliderEffect::kill;
    placed.radius = params.radius;
    placed.halfLength = params.halfLength;
    placed.halfSize = params.halfSize;
    placed.friction = params.friction;
    placed.adhesion = params.adhesion;
    placed.gap = params.thickness;
    if (params.shape != ColliderShape::mesh) {
        placed.before = from ? poseBetween(from->pose, collider.pose, shares.before) : collider.pose;
        placed.after = from ? poseBetween(from->pose, collider.pose, shares.after) : collider.pose;
        return;
    }

    std::vector<Vec3> vertices, before;
    const std::vector<Vec3>& start = from ? from->vertices : collider.mesh.vertices;
    between(start, collider.mesh.vertices, shares.after, vertices);
    between(start, collider.mesh.vertices, shares.before, before);
    if (mesh.triangles.empty() || mesh.triangles != collider.mesh.triangles ||
        mesh.vertices.size() != vertices.size()) {
        const std::string fault = meshFault(vertices, collider.mesh.triangles);
        if (!fault.empty())
            throw Error(collider.name + ": collider " + fault + "; connect another mesh or choose a primitive");
        mesh.tree.build(vertices, collider.mesh.triangles);
        if (before != vertices) mesh.tree.refit(vertices, before);
        mesh.triangles = collider.mesh.triangles;
    } else if (mesh.vertices != vertices || mesh.before != before) {
        mesh.tree.refit(vertices, before);
    }
    mesh.vertices.swap(vertices);
    mesh.before.swap(before);
    placed.mesh = mesh.tree.view();
    // A particle must stay on one side in spite of rounding: a few dozen units in the last place.
    const float hair = 8e-6f * largestCoordinate(placed.mesh.bounds());
    placed.gap = placed.gap > hair ? placed.gap : hair;
}

void resolveContacts(Particles& particles, const Buffer<Vec3>& xBefore, const Colliders& colliders, const Scene& scene,
                     Buffer<Vec3>& vNew, float dt, Buffer<int>* touched, Span<const float> grip) {
    if (!colliders.placed().count) return;
    const Device& device = particles.x.device();
    Buffer<float> restitution(device, static_cast<int>(scene.fluids.size()));
    for (int i = 0; i < restitution.size(); ++i)
        restitution[i] = scene.fluids[static_cast<size_t>(i)].params.restitution;
    ResolveContacts kernel{};
    kernel.colliders = colliders.placed();
    kernel.restitution = restitution.span();
    kernel.body = particles.body.span();
    kernel.xBefore = xBefore.span();
    kernel.grip = grip;
    kernel.dt = dt;
    kernel.x = particles.x.span();
    kernel.v = vNew.span();
    if (touched) {
        touched->resize(particles.count());
        kernel.touched = touched->span();
    }
    forEach(device, "resolveContacts", particles.count(), kernel);
    device.synchronize();  // the restitutions live until here
}

// Copies beyond a periodic side have ids below zero.
static bool isOwn(int64_t id) { return id >= 0; }

int killInside(Particles& particles, const Buffer<Vec3>& xBefore, const Colliders& colliders) {
    const Device& device = particles.x.device();
    const auto own = [&] { return std::count_if(particles.id.begin(), particles.id.end(), isOwn); };
    const auto before = own();
    Buffer<int> keep(device, particles.count());
    forEach(device, "survives", particles.count(),
            Survives{colliders.placed(), xBefore.span(), particles.x.span(), keep.span()});
    device.synchronize();
    particles.keepOnly(keep);
    return static_cast<int>(before - own());
}

}  // namespace purl
