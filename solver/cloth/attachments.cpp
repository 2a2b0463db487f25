#include "solver/cloth/attachments.h"

#include <algorithm>

#include "solver/colliders/contacts.h"
#include "solver/core/error.h"
#include "solver/core/forEach.h"

namespace purl {
namespace {

// Whether a point is inside a primitive or within `distance` of it.
bool isNear(const Collider& collider, const Pose& pose, Vec3 x, float distance) {
    PlacedCollider inflated;
    inflated.shape = collider.params.shape;
    inflated.radius = collider.params.radius;
    inflated.halfLength = collider.params.halfLength;
    inflated.halfSize = collider.params.halfSize;
    inflated.gap = distance;
    inflated.before = inflated.after = pose;
    return static_cast<bool>(primitiveContact(inflated, x));
}

int indexOf(const Scene& scene, const Cloth& cloth) {
    for (size_t c = 0; c < scene.colliders.size(); ++c)
        if (scene.colliders[c].name == cloth.attachTo) return static_cast<int>(c);
    throw Error(cloth.name + ": attachTo is \"" + cloth.attachTo +
                "\", which is not a collider of this solver; enter the name of a " + "purlCollider or leave it empty");
}

struct MoveTargets {
    Span<const Attachment> attachments;
    Span<const PlacedCollider> placed;
    Vec3 *from, *to;

    PURL_HD void operator()(int a) const {
        const Attachment& attachment = attachments[a];
        const PlacedCollider& collider = placed[attachment.collider];
        Vec3 position = collider.after.toWorld(attachment.local);
        if (attachment.triangle >= 0) {
            const TriangleTreeView& mesh = collider.mesh;
            position = triangle::pointAt({attachment.local.x, attachment.local.y, attachment.local.z},
                                         mesh.corner(attachment.triangle, 0), mesh.corner(attachment.triangle, 1),
                                         mesh.corner(attachment.triangle, 2));
        }
        from[attachment.point] = to[attachment.point] = position;
    }
};

}  // namespace

void Attachments::set(const Scene& scene, const std::vector<Cloth>& cloths, const std::vector<ColliderPlace>& shapes,
                      Span<const Vec3> rest) {
    std::vector<Attachment> found;
    int first = 0;
    for (const Cloth& cloth : cloths) {
        const auto count = static_cast<int>(cloth.points.size());
        if (!cloth.attachTo.empty()) {
            const int c = indexOf(scene, cloth);
            const Collider& collider = scene.colliders[c];
            const ColliderPlace& start = shapes[c];
            const bool listed = !cloth.attachedVertices.empty();
            std::vector<char> selected(static_cast<size_t>(count), !listed);
            for (const int v : cloth.attachedVertices) selected[v] = 1;
            const bool mesh = collider.params.shape == ColliderShape::mesh;
            TriangleTree tree;
            if (mesh && start.vertices.size() != collider.mesh.vertices.size())
                throw Error(cloth.name + ": its collider " + collider.name + " has " +
                            std::to_string(collider.mesh.vertices.size()) + " vertices, but started with " +
                            std::to_string(start.vertices.size()) + "; go back to the start frame");
            if (mesh) tree.build(start.vertices, collider.mesh.triangles);
            for (int i = 0; i < count; ++i) {
                const Vec3 x = rest[first + i];
                if (!selected[i]) continue;
                if (!mesh) {
                    if (listed || isNear(collider, start.pose, x, cloth.attachDistance))
                        found.push_back({first + i, c, -1, start.pose.toLocal(x)});
                    continue;
                }
                const ClosestPoint nearest = tree.closest(x, listed ? 1e30f : cloth.attachDistance);
                if (!nearest) continue;
                const TriangleTreeView view = tree.view();
                const int t = nearest.triangle;
                const auto local = triangle::coordinates(x, view.corner(t, 0), view.corner(t, 1), view.corner(t, 2));
                found.push_back({first + i, c, t, {local.u, local.v, local.height}});
            }
        }
        first += count;
    }
    attachments_.onHost().resizeDiscard(static_cast<int>(found.size()));
    std::copy(found.begin(), found.end(), attachments_.onHost().begin());
    attachments_.upload();
}

void Attachments::pin(std::vector<Cloth>& cloths) const {
    const Buffer<Attachment>& all = attachments_.onHost();
    const Attachment* attachment = all.begin();
    int first = 0;
    for (Cloth& cloth : cloths) {
        const auto count = static_cast<int>(cloth.points.size());
        for (; attachment != all.end() && attachment->point < first + count; ++attachment) {
            cloth.pins.resize(cloth.points.size());
            cloth.pins[attachment->point - first] = 1;
        }
        first += count;
    }
}

void Attachments::moveTargets(const Colliders& colliders, Vec3* from, Vec3* to) const {
    forEach(colliders.device(), "moveTargets", attachments_.size(),
            MoveTargets{attachments_.span(), colliders.onDevice(), from, to});
}

}  // namespace purl
