#include "solver/clothPushes.h"

#include <algorithm>

namespace purl {
namespace {

// On a soft body's skin: to the corners of the triangle that was touched, as much as each is near; an edge's or
// corner's push to the nearest.
void pushSkin(const Skin& skin, const ClothImpulse& push, Vec3* impulses) {
    const std::vector<Vec3>& x = skin.shape.mesh.vertices;
    if (push.triangle < 0) {
        const auto nearest = std::min_element(x.begin(), x.end(), [&](Vec3 a, Vec3 b) {
            return lengthSquared(a - push.point) < lengthSquared(b - push.point);
        });
        impulses[skin.first + (nearest - x.begin())] += push.impulse;
        return;
    }
    const int* const corner = skin.shape.mesh.triangles.data() + 3 * push.triangle;
    const auto local = triangle::coordinates(push.point, x[static_cast<size_t>(corner[0])],
                                             x[static_cast<size_t>(corner[1])], x[static_cast<size_t>(corner[2])]);
    const float u = clamp(local.u, 0, 1), v = clamp(local.v, 0, 1 - u);
    impulses[skin.first + corner[0]] += (1 - u - v) * push.impulse;
    impulses[skin.first + corner[1]] += u * push.impulse;
    impulses[skin.first + corner[2]] += v * push.impulse;
}

}  // namespace

void deliverClothPushes(State& state, Workspace& work) {
    const std::vector<ClothImpulse>& pushes = work.cloths.impulses();
    for (int b = 0; b < work.rigids.count(); ++b) {
        const int collider = work.rigids.colliderOf(b);
        const Vec3 center = state.colliders[static_cast<size_t>(collider)].pose.position;
        Impulse sum;
        for (const ClothImpulse& push : pushes) {
            if (push.collider != collider) continue;
            sum.linear += push.impulse;
            sum.angular += cross(push.point - center, push.impulse);
        }
        work.rigids.push(state, b, sum);
    }
    std::vector<Vec3> impulses;
    for (const Skin& skin : work.softSkins.all())
        for (const ClothImpulse& push : pushes) {
            if (push.collider != skin.collider) continue;
            impulses.resize(static_cast<size_t>(state.soft.count()));
            pushSkin(skin, push, impulses.data());
        }
    if (!impulses.empty()) work.softBodies.push(state, impulses.data());
}

}  // namespace purl
