#include "solver/contact/colliders.h"

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

}  // namespace

std::vector<ColliderPlace> placesOf(const Scene& scene) {
    std::vector<ColliderPlace> places;
    for (const Collider& collider : scene.colliders) {
        places.push_back({collider.pose, {}});
        if (collider.params.shape == ColliderShape::mesh) places.back().vertices = collider.mesh.vertices;
    }
    return places;
}

Colliders::Colliders(const Device& device) : device_(device), placed_(device) {}

void Colliders::moveTo(const Scene& scene, const std::vector<ColliderPlace>& from, float shareBefore, float shareAfter,
                       float dt) {
    device_.synchronize();
    const size_t count = scene.colliders.size();
    while (meshes_.size() < count) meshes_.push_back({TriangleTree(device_), {}, {}, {}});
    meshes_.erase(meshes_.begin() + static_cast<std::ptrdiff_t>(count), meshes_.end());
    placed_.resize(static_cast<int>(count));
    // A step of no length has no motion either: what stands elsewhere afterwards was put there.
    if (!(dt > 0)) shareBefore = shareAfter;
    for (size_t i = 0; i < count; ++i)
        place(scene.colliders[i], i < from.size() ? &from[i] : nullptr, shareBefore, shareAfter, meshes_[i],
              placed_[static_cast<int>(i)]);
}

void Colliders::place(const Collider& collider, const ColliderPlace* from, float shareBefore, float shareAfter,
                      MovingMesh& mesh, PlacedCollider& placed) const {
    const ColliderParams& params = collider.params;
    placed = PlacedCollider();
    placed.shape = params.shape;
    placed.container = params.container;
    placed.radius = params.radius;
    placed.halfLength = params.halfLength;
    placed.halfSize = params.halfSize;
    placed.friction = params.friction;
    placed.gap = params.thickness;
    if (params.shape != ColliderShape::mesh) {
        placed.before = from ? poseBetween(from->pose, collider.pose, shareBefore) : collider.pose;
        placed.after = from ? poseBetween(from->pose, collider.pose, shareAfter) : collider.pose;
        return;
    }

    std::vector<Vec3> vertices, before;
    const std::vector<Vec3>& start = from ? from->vertices : collider.mesh.vertices;
    between(start, collider.mesh.vertices, shareAfter, vertices);
    between(start, collider.mesh.vertices, shareBefore, before);
    if (mesh.triangles.empty() || mesh.triangles != collider.mesh.triangles ||
        mesh.vertices.size() != vertices.size()) {
        const std::string fault = faultOf(vertices, collider.mesh.triangles);
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
                     Buffer<Vec3>& vNew, float dt) {
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
    kernel.dt = dt;
    kernel.x = particles.x.span();
    kernel.v = vNew.span();
    forEach(device, "resolveContacts", particles.count(), kernel);
    device.synchronize();  // the restitutions live until here
}

}  // namespace purl
