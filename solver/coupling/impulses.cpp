#include "solver/coupling/impulses.h"

#include <algorithm>

namespace purl {
namespace {

// On a soft body's surface: to the corners of the triangle that was touched, by barycentric coordinates; that of an
// edge or corner to the nearest vertex.
void addToVertices(const StepCollider& surface, const ClothImpulse& push, Vec3* impulses) {
    const std::vector<Vec3>& x = surface.after.vertices;
    if (push.triangle < 0) {
        const auto nearest = std::min_element(x.begin(), x.end(), [&](Vec3 a, Vec3 b) {
            return lengthSquared(a - push.point) < lengthSquared(b - push.point);
        });
        impulses[nearest - x.begin()] += push.impulse;
        return;
    }
    const int* const corner = surface.triangles.data() + 3 * push.triangle;
    const auto local = triangle::coordinates(push.point, x[corner[0]], x[corner[1]], x[corner[2]]);
    const float u = clamp(local.u, 0, 1), v = clamp(local.v, 0, 1 - u);
    impulses[corner[0]] += (1 - u - v) * push.impulse;
    impulses[corner[1]] += u * push.impulse;
    impulses[corner[2]] += v * push.impulse;
}

}  // namespace

void deliverFluidImpulses(State& state, const Reaction& reaction, const RigidBodies& rigids, SoftBodies& softBodies,
                          const Materials& materials, float dt) {
    reaction.deliver(rigids, state);
    if (softBodies.empty() || reaction.onPoints().empty()) return;
    // A particle may outweigh a light body: it does not move it by more than a share of its spacing.
    constexpr float kMaxDisplacement = 0.05f;  // spacings a step
    const Vec3 fall = dt * materials.gravity;
    FluidAround fluid{0, fall, std::max(kMaxDisplacement * materials.spacing / dt, 2 * length(fall))};
    for (const FluidConstants& each : materials.fluids) fluid.density = std::max(fluid.density, each.restDensity);
    softBodies.push(state, reaction.onPoints().data() + state.cloth.count(), fluid);
}

void deliverClothImpulses(State& state, const std::vector<ClothImpulse>& pushes, const RigidBodies& rigids,
                          const StepColliders& colliders, SoftBodies& softBodies) {
    for (int b = 0; b < rigids.count(); ++b) {
        const int collider = rigids.colliderOf(b);
        const Vec3 center = state.colliders[collider].pose.position;
        Impulse sum;
        for (const ClothImpulse& push : pushes) {
            if (push.collider != collider) continue;
            sum.linear += push.impulse;
            sum.angular += cross(push.point - center, push.impulse);
        }
        rigids.push(state, b, sum);
    }
    std::vector<Vec3> impulses;
    for (const DeformingCollider& body : colliders.softBodies)
        for (const ClothImpulse& push : pushes) {
            if (push.collider != body.placed) continue;
            impulses.resize(static_cast<size_t>(state.soft.count()));
            addToVertices(colliders[body.collider], push, impulses.data() + body.first);
        }
    if (!impulses.empty()) softBodies.push(state, impulses.data());
}

}  // namespace purl
