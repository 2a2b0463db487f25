// Points of cloths and soft bodies against colliders: none comes nearer than the colliders' gaps, and Coulomb's
// friction holds it; and how points follow what leads them.
#pragma once
#include "solver/colliders/contacts.h"

namespace purl {

// The vector, no longer than that.
PURL_HD inline Vec3 limited(Vec3 a, float most) {
    const float l = length(a);
    return l > most ? (most / l) * a : a;
}

// Brings a point that went from xBefore to x out of the colliders. What slid along the surface is taken back by up to
// μ times the depth that was pushed out: a step's weight on a slope of angle θ goes m g Δt² sin θ along and
// m g Δt² cos θ in, so that it rests up to tan θ = μ. μ is the larger of the collider's friction and the point's.
// Returns what it ran into, see WayOut.
PURL_HD inline WayOut touchColliders(Span<const PlacedCollider> colliders, float friction, float dt, Vec3 xBefore,
                                     Vec3& x, Vec3& v) {
    if (!isFinite(x)) return {};  // the guard's to report
    const WayOut way = wayOut(colliders, xBefore, x);
    if (way.collider < 0) return way;
    const PlacedCollider& collider = colliders[way.collider];
    const Vec3 n = way.deepest.normal, surface = surfaceVelocity(collider, way.deepest, dt);
    const float mu = collider.friction > friction ? collider.friction : friction;
    const Vec3 went = way.place - xBefore - dt * surface, slid = went - dot(went, n) * n;
    x = way.place - limited(slid, mu * way.deepest.depth);
    const Vec3 relative = v - surface;
    const float approach = dot(relative, n);
    if (approach >= 0) return way;
    const Vec3 sliding = relative - approach * n;
    v = surface + sliding - limited(sliding, -mu * approach);
    return way;
}

// Where a pinned point is at that share of the frame; without lerp's rounding where what leads it stands still.
PURL_HD inline Vec3 ledTo(Vec3 from, Vec3 to, float share) {
    return share >= 1 || from == to ? to : lerp(from, to, share);
}

// A pin between 0 and 1 draws the point towards its place, by that share in this time, whatever the steps.
constexpr float kPinTime = 0.01f;  // s
PURL_HD inline Vec3 drawnTo(Vec3 x, Vec3 place, float pin, float dt) {
    return lerp(x, place, 1 - std::pow(1 - pin, dt / kPinTime));
}

}  // namespace purl
