// Contact of cloth and soft body points with colliders, with Coulomb friction; and motion of pinned points towards
// their targets.
#pragma once
#include "solver/colliders/contacts.h"
#include "solver/core/math.h"

namespace purl {

// Clamps the length of a vector.
PURL_HD inline Vec3 clampedLength(Vec3 a, float maxLength) {
    const float l = length(a);
    return l > maxLength ? (maxLength / l) * a : a;
}

// Moves a point that went from xBefore to x out of the colliders. Position-based Coulomb friction reverts the
// tangential displacement by up to μ times the penetration depth: in a step, gravity moves a point on a slope of angle
// θ by g Δt² sin θ along the slope and g Δt² cos θ into it, so that it rests up to tan θ = μ. μ is the larger of the
// collider's friction and the point's.
PURL_HD inline ResolvedContact touchColliders(Span<const PlacedCollider> colliders, float friction, float dt,
                                              Vec3 xBefore, Vec3& x, Vec3& v) {
    if (!isFinite(x)) return {};  // the NaN guard reports it
    const ResolvedContact contact = resolveContact(colliders, xBefore, x);
    if (contact.collider < 0) return contact;
    const PlacedCollider& collider = colliders[contact.collider];
    const Vec3 n = contact.deepest.normal, surface = surfaceVelocity(collider, contact.deepest, dt);
    const float mu = collider.friction > friction ? collider.friction : friction;
    const Vec3 went = contact.place - xBefore - dt * surface, slid = went - dot(went, n) * n;
    x = contact.place - clampedLength(slid, mu * contact.deepest.depth);
    const Vec3 relative = v - surface;
    const float approach = dot(relative, n);
    if (approach >= 0) return contact;
    const Vec3 sliding = relative - approach * n;
    v = surface + sliding - clampedLength(sliding, -mu * approach);
    return contact;
}

// Position of a pinned point at a fraction of the frame. Exact, without the rounding of lerp, if its target is at rest.
PURL_HD inline Vec3 pinnedPosition(Vec3 from, Vec3 to, float share) {
    return share >= 1 || from == to ? to : lerp(from, to, share);
}

// A pin weight between 0 and 1 is the fraction of the distance to the target by which the point moves within this time,
// independent of the step size.
constexpr float kPinTime = 0.01f;  // s
PURL_HD inline Vec3 movedTowardsPin(Vec3 x, Vec3 place, float pin, float dt) {
    return lerp(x, place, 1 - pow(1 - pin, dt / kPinTime));
}

}  // namespace purl
