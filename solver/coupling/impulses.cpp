#include "solver/coupling/impulses.h"

#include <algorithm>
#include <utility>

#include "solver/core/hostView.h"

namespace purl {
namespace {

// Distributes an impulse on the surface of a soft body to the vertices of the touched triangle, by barycentric
// coordinates; at an edge or vertex it goes to the nearest vertex.
void addToVertices(const StepCollider& surface, const ClothImpulse& contact, Vec3* onPoints) {
    const std::vector<Vec3>& x = surface.after.vertices;
    if (contact.triangle < 0) {
        const auto nearest = std::min_element(x.begin(), x.end(), [&](Vec3 a, Vec3 b) {
            return lengthSquared(a - contact.point) < lengthSquared(b - contact.point);
        });
        onPoints[nearest - x.begin()] += contact.impulse;
        return;
    }
    const int* const corner = surface.triangles.data() + 3 * contact.triangle;
    const auto local = triangle::coordinates(contact.point, x[corner[0]], x[corner[1]], x[corner[2]]);
    const float u = clamp(local.u, 0, 1), v = clamp(local.v, 0, 1 - u);
    onPoints[corner[0]] += (1 - u - v) * contact.impulse;
    onPoints[corner[1]] += u * contact.impulse;
    onPoints[corner[2]] += v * contact.impulse;
}

}  // namespace

void deliverFluidImpulses(State& state, const Reaction& reaction, const RigidBodies& rigids, SoftBodies& softBodies,
                          const Materials& materials, float dt) {
    reaction.deliver(rigids, state);
    if (softBodies.empty() || reaction.onPoints().empty()) return;
    // A particle can be heavier than a light body: its impulse moves the body by at most a fraction of a spacing.
    constexpr float kMaxDisplacement = 0.05f;  // spacings per step
    const Vec3 fall = dt * materials.gravity;
    FluidAround fluid{0, fall, std::max(kMaxDisplacement * materials.spacing / dt, 2 * length(fall))};
    for (const FluidConstants& each : materials.fluids.onHost())
        fluid.density = std::max(fluid.density, each.restDensity);
    softBodies.push(state, {reaction.onPoints().data() + state.cloth.count(), state.soft.count()}, fluid);
}

void deliverClothImpulses(State& state, const std::vector<ClothImpulse>& impulses, const RigidBodies& rigids,
                          const StepColliders& colliders, SoftBodies& softBodies) {
    for (int b = 0; b < rigids.count(); ++b) {
        const int collider = rigids.colliderOf(b);
        const Vec3 center = state.colliders[collider].pose.position;
        Impulse sum;
        for (const ClothImpulse& contact : impulses) {
            if (contact.collider != collider) continue;
            sum.linear += contact.impulse;
            sum.angular += cross(contact.point - center, contact.impulse);
        }
        rigids.push(state, b, sum);
    }
    std::vector<Vec3> onPoints;
    for (const DeformingCollider& body : colliders.softBodies)
        for (const ClothImpulse& contact : impulses) {
            if (contact.collider != body.placed) continue;
            onPoints.resize(static_cast<size_t>(state.soft.count()));
            addToVertices(colliders[body.collider], contact, onPoints.data() + body.first);
        }
    if (onPoints.empty()) return;
    Buffer<Vec3> impulsesOnPoints(state.soft.x.device(), "impulses of cloths");
    upload(impulsesOnPoints, onPoints);
    softBodies.push(state, std::as_const(impulsesOnPoints).span());
}

}  // namespace purl
