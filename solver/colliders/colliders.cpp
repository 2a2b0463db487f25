#include "solver/colliders/colliders.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "solver/colliders/contacts.h"
#include "solver/colliders/motion.h"
#include "solver/core/error.h"
#include "solver/core/forEach.h"
#include "solver/core/hostView.h"
#include "solver/core/math.h"

namespace purl {

namespace {

float largestCoordinate(const Bounds& box) {
    const Vec3 m = max(max(box.low, -box.low), max(box.high, -box.high));
    return m.x > m.y ? (m.x > m.z ? m.x : m.z) : (m.y > m.z ? m.y : m.z);
}

// m, lever arm: a rotation by θ moves points of a primitive by at most this times θ. 0 for a sphere.
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
    return 2 * asin(std::min(1.0, std::sqrt(squares / 8)));
}

// m, upper bound of the displacement of any of its points.
double maxDisplacement(const Collider& collider, const ColliderPlace& from) {
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
    double farthest = 0;
    for (size_t i = 0; i < scene.colliders.size() && i < from.size(); ++i)
        if (!from[i].rigid) farthest = std::max(farthest, maxDisplacement(scene.colliders[i], from[i]));
    return duration > 0 ? farthest / duration : 0;
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

Colliders::Colliders(const Device& device)
    : device_(device), placed_(device.host(), "colliders.placed"), onDevice_(device, "colliders.onDevice") {}

void Colliders::moveTo(const StepColliders& list, const std::vector<int>& members, float shareBefore, float shareAfter,
                       float dt, TimeInterval ofStep) {
    const size_t count = members.size();
    // Trees beyond `count` are kept: in a step, rigid bodies meet the scene's colliders only, fluids also deforming
    // ones.
    while (meshes_.size() < count)
        meshes_.push_back({TriangleTree(device_.host()), TriangleTree(device_), false, {}, {}, {}});
    placed_.resize(static_cast<int>(count));
    // In a step of length 0 nothing moves; a collider with a different position was teleported.
    const TimeInterval ofFrame{dt > 0 ? shareBefore : shareAfter, shareAfter};
    for (int i = 0; i < placed_.size(); ++i) {
        const StepCollider& collider = list[members[i]];
        place(collider, collider.movesByStep() ? ofStep : ofFrame, meshes_[i], placed_[i]);
    }
    anyKills_ = std::any_of(placed_.begin(), placed_.end(), [](const PlacedCollider& c) { return c.kills; });
    if (!device_.isCpu()) copyToDevice();
}

void Colliders::copyToDevice() {
    std::vector<PlacedCollider> copies(placed_.begin(), placed_.end());
    for (size_t i = 0; i < copies.size(); ++i) {
        if (copies[i].shape != ColliderShape::mesh) continue;
        MovingMesh& mesh = meshes_[i];
        if (std::exchange(mesh.changed, false)) mesh.onDevice.follow(mesh.tree);
        copies[i].mesh = mesh.onDevice.view();
    }
    upload(onDevice_, copies);
}

void Colliders::place(const StepCollider& collider, TimeInterval shares, MovingMesh& mesh,
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
    if (!collider.isMesh()) {
        placed.before = poseBetween(collider.before.pose, collider.after.pose, shares.before);
        placed.after = poseBetween(collider.before.pose, collider.after.pose, shares.after);
        return;
    }

    const Channel<Vec3> vertices = verticesBetween(collider.before.vertices, collider.after.vertices, shares.after);
    const Channel<Vec3> before = verticesBetween(collider.before.vertices, collider.after.vertices, shares.before);
    if (mesh.triangles.empty() || mesh.triangles != collider.triangles || mesh.vertices.size() != vertices.size()) {
        const std::string fault = meshFault(vertices, collider.triangles);
        if (!fault.empty())
            throw Error(collider.name + ": collider " + fault + "; connect another mesh or choose a primitive");
        mesh.tree.build(vertices, collider.triangles);
        if (before != vertices) mesh.tree.refit(vertices, before);
    } else if (mesh.vertices != vertices || mesh.before != before) {
        mesh.tree.refit(vertices, before);
    }
    mesh.changed =
        mesh.changed || mesh.triangles != collider.triangles || mesh.vertices != vertices || mesh.before != before;
    mesh.triangles = collider.triangles;
    mesh.vertices = vertices;
    mesh.before = before;
    placed.mesh = mesh.tree.view();
    // A minimum gap of a few dozen ulp keeps particles on one side of the mesh despite rounding.
    const float rounding = 8e-6f * largestCoordinate(placed.mesh.bounds());
    placed.gap = placed.gap > rounding ? placed.gap : rounding;
}

void resolveContacts(Particles& particles, const Buffer<Vec3>& xBefore, const Colliders& colliders, const Scene& scene,
                     Buffer<Vec3>& vNew, float dt, Buffer<int>* touched, Span<const float> grip) {
    if (!colliders.placed().count) return;
    const Device& device = particles.x.device();
    std::vector<float> ofFluids;
    for (const Fluid& fluid : scene.fluids) ofFluids.push_back(fluid.params.restitution);
    Buffer<float> restitution(device, "restitution of fluids");
    upload(restitution, ofFluids);
    ResolveContacts kernel{};
    kernel.colliders = colliders.onDevice();
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
}

int countInside(const Particles& particles, const Colliders& colliders, int which, float depth) {
    return reduce(particles.x.device(), "countInside", particles.count(), 0,
                  IsInside{colliders.onDevice(), which, particles.x.span(), depth}, Sum{});
}

namespace {

// Ghost copies across a periodic boundary have negative ids.
struct IsOwnAndGone {
    Span<const int64_t> id;
    Span<const int> keep;
    PURL_HD int operator()(int i) const { return id[i] >= 0 && !keep[i] ? 1 : 0; }
};

}  // namespace

int killInside(Particles& particles, const Buffer<Vec3>& xBefore, const Colliders& colliders) {
    const Device& device = particles.x.device();
    Buffer<int> keep(device, "particles to keep");
    keep.resizeDiscard(particles.count());
    forEach(device, "survives", particles.count(),
            MarkSurvivors{colliders.onDevice(), xBefore.span(), particles.x.span(), keep.span()});
    const int gone = reduce(device, "ownAndGone", particles.count(), 0,
                            IsOwnAndGone{std::as_const(particles.id).span(), std::as_const(keep).span()}, Sum{});
    particles.keepOnly(keep);
    return gone;
}

}  // namespace purl
