#include "solver/cloth/attach.h"

#include "solver/colliders/contacts.h"
#include "solver/core/error.h"

namespace purl {
namespace {

// Whether a point is in a primitive, or no further away from it.
bool isNear(const Collider& collider, const Pose& pose, Vec3 x, float distance) {
    PlacedCollider grown;
    grown.shape = collider.params.shape;
    grown.radius = collider.params.radius;
    grown.halfLength = collider.params.halfLength;
    grown.halfSize = collider.params.halfSize;
    grown.gap = distance;
    grown.before = grown.after = pose;
    return static_cast<bool>(primitiveContact(grown, x));
}

int indexOf(const Scene& scene, const Cloth& cloth) {
    for (size_t c = 0; c < scene.colliders.size(); ++c)
        if (scene.colliders[c].name == cloth.attachTo) return static_cast<int>(c);
    throw Error(cloth.name + ": attachTo names no collider of the solver, \"" + cloth.attachTo + "\"; write a " +
                "purlCollider's name, or nothing");
}

}  // namespace

void Attachments::set(const Scene& scene, const std::vector<Cloth>& cloths, const std::vector<ColliderPlace>& shapes,
                      Span<const Vec3> rest) {
    holds_.clear();
    int first = 0;
    for (const Cloth& cloth : cloths) {
        const auto count = static_cast<int>(cloth.points.size());
        if (!cloth.attachTo.empty()) {
            const int c = indexOf(scene, cloth);
            const Collider& collider = scene.colliders[static_cast<size_t>(c)];
            const ColliderPlace& start = shapes[static_cast<size_t>(c)];
            const bool listed = !cloth.attachedVertices.empty();
            std::vector<char> wanted(static_cast<size_t>(count), !listed);
            for (const int v : cloth.attachedVertices) wanted[static_cast<size_t>(v)] = 1;
            const bool mesh = collider.params.shape == ColliderShape::mesh;
            TriangleTree tree;
            if (mesh && start.vertices.size() != collider.mesh.vertices.size())
                throw Error(cloth.name + ": " + collider.name + ", which it is attached to, has " +
                            std::to_string(collider.mesh.vertices.size()) + " vertices where it started with " +
                            std::to_string(start.vertices.size()) + "; go back to the start frame");
            if (mesh) tree.build(start.vertices, collider.mesh.triangles);
            for (int i = 0; i < count; ++i) {
                const Vec3 x = rest[first + i];
                if (!wanted[static_cast<size_t>(i)]) continue;
                if (!mesh) {
                    if (listed || isNear(collider, start.pose, x, cloth.attachDistance))
                        holds_.push_back({first + i, c, -1, start.pose.toLocal(x)});
                    continue;
                }
                const ClosestPoint nearest = tree.closest(x, listed ? 1e30f : cloth.attachDistance);
                if (!nearest) continue;
                const TriangleTreeView view = tree.view();
                const int t = nearest.triangle;
                const auto local = triangle::coordinates(x, view.corner(t, 0), view.corner(t, 1), view.corner(t, 2));
                holds_.push_back({first + i, c, t, {local.u, local.v, local.height}});
            }
        }
        first += count;
    }
}

void Attachments::pin(std::vector<Cloth>& cloths) const {
    auto hold = holds_.begin();
    int first = 0;
    for (Cloth& cloth : cloths) {
        const auto count = static_cast<int>(cloth.points.size());
        for (; hold != holds_.end() && hold->point < first + count; ++hold) {
            cloth.pins.resize(cloth.points.size());
            cloth.pins[static_cast<size_t>(hold->point - first)] = 1;
        }
        first += count;
    }
}

void Attachments::lead(Span<const PlacedCollider> placed, Vec3* from, Vec3* to) const {
    for (const Hold& hold : holds_) {
        const PlacedCollider& collider = placed[hold.collider];
        Vec3 place = collider.after.toWorld(hold.local);
        if (hold.triangle >= 0) {
            const TriangleTreeView& mesh = collider.mesh;
            place = triangle::pointAt({hold.local.x, hold.local.y, hold.local.z}, mesh.corner(hold.triangle, 0),
                                      mesh.corner(hold.triangle, 1), mesh.corner(hold.triangle, 2));
        }
        from[hold.point] = to[hold.point] = place;
    }
}

}  // namespace purl
