#include "solver/colliders/stepColliders.h"

#include <numeric>
#include <utility>

namespace purl {
namespace {

// Equal positions of a mesh share one vertex array.
ColliderPosition positionOf(const ColliderPlace& place, const StepCollider& collider) {
    if (!collider.isMesh()) return {place.pose, {}};
    const Channel<Vec3>& now = collider.after.vertices;
    return {place.pose, place.vertices.size() != now.size() || place.vertices == now ? now : place.vertices};
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
            one.triangles = collider.mesh.triangles;
            one.after.vertices = collider.mesh.vertices;
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

Channel<Vec3> verticesBetween(const Channel<Vec3>& a, const Channel<Vec3>& b, float share) {
    if (share >= 1 || a.sharesWith(b) || a.size() != b.size()) return b;
    if (share <= 0) return a;
    const std::vector<Vec3>&from = a, &to = b;
    std::vector<Vec3> result(to.size());
    for (size_t i = 0; i < result.size(); ++i) result[i] = from[i] == to[i] ? from[i] : lerp(from[i], to[i], share);
    return result;
}

}  // namespace purl
