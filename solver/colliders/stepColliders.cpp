#include "solver/colliders/stepColliders.h"

#include <numeric>
#include <utility>

namespace purl {
namespace {

SharedVertices shared(std::vector<Vec3> vertices) {
    return std::make_shared<const std::vector<Vec3>>(std::move(vertices));
}

// Equal positions of a mesh share one vertex array.
ColliderPosition positionOf(const ColliderPlace& place, const StepCollider& collider) {
    if (!collider.isMesh()) return {place.pose, nullptr};
    const std::vector<Vec3>& now = *collider.after.vertices;
    if (place.vertices.size() != now.size() || place.vertices == now) return {place.pose, collider.after.vertices};
    return {place.pose, shared(place.vertices)};
}

}  // namespace

StepColliders::StepColliders(const Scene& scene, const std::vector<ColliderPlace>& from,
                             const std::vector<ColliderPlace>& start) {
    for (size_t i = 0; i < scene.colliders.size(); ++i) {
        const Collider& collider = scene.colliders[i];
        StepCollider one;
        one.name = collider.name;
        one.params = collider.params;
        one.after.pose = collider.pose;
        if (one.isMesh()) {
            one.triangles = std::make_shared<const std::vector<int>>(collider.mesh.triangles);
            one.after.vertices = shared(collider.mesh.vertices);
        }
        one.before = i < from.size() ? positionOf(from[i], one) : one.after;
        one.start = i < start.size() ? positionOf(start[i], one) : one.after;
        add(std::move(one));
    }
    ofScene.resize(all_.size());
    std::iota(ofScene.begin(), ofScene.end(), 0);
    forFluids = forCloths = ofScene;
}

void StepColliders::beginStep() {
    for (StepCollider& collider : all_)
        if (collider.movesByStep()) collider.before = collider.after;
}

SharedVertices verticesBetween(const SharedVertices& a, const SharedVertices& b, float share) {
    if (share >= 1 || a == b || a->size() != b->size()) return b;
    if (share <= 0) return a;
    std::vector<Vec3> result(b->size());
    for (size_t i = 0; i < result.size(); ++i) result[i] = (*a)[i] == (*b)[i] ? (*a)[i] : lerp((*a)[i], (*b)[i], share);
    return shared(std::move(result));
}

}  // namespace purl
