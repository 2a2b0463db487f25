// Contact of one particle with one collider, and the response to it; what resolveContacts does for every particle.
#pragma once
#include "solver/colliders/colliders.h"

namespace purl {

// Primitives are tested where the particle is now; thickness grows obstacles and shrinks containers.
PURL_HD inline Contact primitiveContact(const PlacedCollider& c, Vec3 x) {
    const Vec3 local = c.after.toLocal(x);
    const float grow = c.container ? -c.gap : c.gap;
    const float radius = c.radius + grow > 0 ? c.radius + grow : 0;
    Contact contact;
    switch (c.shape) {
        case ColliderShape::sphere: contact = sphereContact(local, radius, c.container); break;
        case ColliderShape::capsule: contact = capsuleContact(local, c.halfLength, radius, c.container); break;
        case ColliderShape::box:
            contact = boxContact(local, max(c.halfSize + Vec3{grow, grow, grow}, Vec3{}), c.container);
            break;
        case ColliderShape::plane: contact = planeContact(local, grow, c.container); break;
        case ColliderShape::mesh: break;
    }
    if (!contact) return contact;
    contact.point = c.after.toWorld(contact.point);
    contact.normal = c.after.axes * contact.normal;
    return contact;
}

// Whether no point that stays within the box can touch the collider.
inline bool isClearOf(const PlacedCollider& c, const Bounds& box) {
    if (box.empty()) return true;
    float reach = c.gap;
    switch (c.shape) {
        case ColliderShape::plane:
            for (int k = 0; k < 8; ++k) {
                const Vec3 corner{(k & 1 ? box.high : box.low).x, (k & 2 ? box.high : box.low).y,
                                  (k & 4 ? box.high : box.low).z};
                if (primitiveContact(c, corner)) return false;
            }
            return true;
        case ColliderShape::mesh: return !c.container && !overlap(grown(c.mesh.bounds(), c.gap), box);
        case ColliderShape::sphere: reach += c.radius; break;
        case ColliderShape::capsule: reach += c.radius + c.halfLength; break;
        case ColliderShape::box: reach += length(c.halfSize); break;
    }
    return !c.container && distanceSquared(box, c.after.position) > square(reach + length(Vec3{c.gap, c.gap, c.gap}));
}

// After passing through a triangle: back to the side it came from, sliding along; or to where the path began, carried
// along with the triangle, which is certainly allowed.
PURL_HD inline Contact crossingContact(const Crossing& crossing, Vec3 x, float gap, bool goBack) {
    const Vec3 allowed = crossing.outward ? -crossing.normal : crossing.normal;
    const float depth = gap - dot(x - crossing.point, allowed);
    return {depth, goBack ? crossing.start : x + depth * allowed, allowed, crossing.triangle};
}

// The side of the surface that x is on: 1 in front, −1 behind.
PURL_HD inline float sideOf(const ClosestPoint& nearest, Vec3 x) {
    return dot(x - nearest.point, nearest.normal) < 0 ? -1.0f : 1.0f;
}

// Keeps x on one side of the nearest point, `gap` away from it.
PURL_HD inline Contact nearContact(const ClosestPoint& nearest, Vec3 x, float allowedSide, float gap) {
    const float side = sideOf(nearest, x);
    // On the surface itself no direction is left but the normal.
    const bool touching = nearest.distance <= 1e-3f * gap;
    const Vec3 away = touching ? side * nearest.normal : (x - nearest.point) / nearest.distance;
    const Vec3 allowed = side == allowedSide ? away : -away;
    const float depth = gap - (side == allowedSide ? nearest.distance : -nearest.distance);
    if (depth <= 0) return {};
    return {depth, nearest.point + gap * allowed, allowed, nearest.triangle};
}

// Meshes are tested along the particle's path relative to the moving triangles, so that thin walls and fast colliders
// do not leak. A closed mesh has one allowed side, and what is found on the other goes to the nearest point.
PURL_HD inline Contact closedMeshContact(const PlacedCollider& c, Vec3 xBefore, Vec3 x, bool goBack) {
    const Crossings forbidden = c.container ? Crossings::outward : Crossings::inward;
    if (const Crossing crossing = c.mesh.crossesInMotion(xBefore, x, forbidden))
        return crossingContact(crossing, x, c.gap, goBack);
    ClosestPoint nearest = c.mesh.closest(x, c.gap);
    // Further away it matters only on the wrong side: what was put there, or pressed there by another collider.
    if (!nearest && c.mesh.isInsideByRay(x) != c.container) nearest = c.mesh.closest(x);
    if (!nearest) return {};
    return nearContact(nearest, x, c.container ? -1.0f : 1.0f, c.gap);
}

// An open mesh keeps its two sides apart. Where it bends as it moves, neighbouring triangles disagree a little about
// the path; then the sides at its two ends decide.
PURL_HD inline Contact openMeshContact(const PlacedCollider& c, Vec3 xBefore, Vec3 x, bool goBack) {
    Crossings forbidden = Crossings::all;
    ClosestPoint start, nearest;
    if (c.mesh.moves) {
        const float reach = length(x - xBefore) + c.mesh.maxDisplacement + c.gap;
        start = c.mesh.before().closest(xBefore, reach);
        if (!start) return {};
        if (!start.onRim) forbidden = sideOf(start, xBefore) < 0 ? Crossings::outward : Crossings::inward;
        nearest = c.mesh.closest(x, reach);
    } else {
        nearest = c.mesh.closest(x, c.gap);
    }
    if (const Crossing crossing = c.mesh.crossesInMotion(xBefore, x, forbidden))
        return crossingContact(crossing, x, c.gap, goBack);
    if (!nearest) return {};
    const bool sidesKnown = start && !start.onRim && !nearest.onRim;
    return nearContact(nearest, x, sidesKnown ? sideOf(start, xBefore) : sideOf(nearest, x), c.gap);
}

PURL_HD inline Contact meshContact(const PlacedCollider& c, Vec3 xBefore, Vec3 x, bool goBack) {
    const bool farAway = !overlap(grown(c.mesh.bounds(), c.gap), {min(xBefore, x), max(xBefore, x)});
    if (farAway && !(c.mesh.closed && c.container)) return {};
    return c.mesh.closed ? closedMeshContact(c, xBefore, x, goBack) : openMeshContact(c, xBefore, x, goBack);
}

PURL_HD inline Contact contactWith(const PlacedCollider& c, Vec3 xBefore, Vec3 x, bool goBack) {
    return c.shape == ColliderShape::mesh ? meshContact(c, xBefore, x, goBack) : primitiveContact(c, x);
}

// Velocity of the collider's material at the contact, m/s.
PURL_HD inline Vec3 surfaceVelocity(const PlacedCollider& c, const Contact& contact, float dt) {
    if (!(dt > 0)) return {};
    if (c.shape == ColliderShape::mesh) return c.mesh.displacement(contact.triangle, contact.point) / dt;
    return (contact.point - c.before.toWorld(c.after.toLocal(contact.point))) / dt;
}

// Friction is the share of the sliding that this long a contact takes away, so that it does not depend on the steps.
constexpr float kFrictionTime = 0.01f;  // s

// u := u − (1 + c_R d / (Δt |u|)) (u·n) n   (4.58), relative to the surface; the time in contact cannot exceed the
// step, and what is separating already is left alone.
PURL_HD inline Vec3 respond(Vec3 u, Vec3 surface, const Contact& contact, float restitution, float friction, float dt,
                            float grip = 0) {
    const Vec3 relative = u - surface;
    const float speed = length(relative), approach = dot(relative, contact.normal);
    if (!(speed > 0) || !(dt > 0) || approach >= 0) return u;
    const float inside = clamp(contact.depth / (dt * speed), 0, 1);
    const Vec3 sliding = relative - approach * contact.normal;
    const float kept = friction <= 0 ? 1 : friction >= 1 ? 0 : std::pow(1 - friction, dt / kFrictionTime);
    return surface + (1 - grip) * kept * sliding - restitution * inside * approach * contact.normal;
}

constexpr int kContactPasses = 8;  // enough for a corner of three walls and an edge; see insideContainers for the rest

// Colliders that contradict each other (an obstacle pressed through a wall) leave a particle no allowed place; then
// containers win. They are convex, so going from one to the next ends inside all of them, if there is such a place.
PURL_HD inline Vec3 insideContainers(Span<const PlacedCollider> colliders, Vec3 p) {
    bool moved = true;
    for (int pass = 0; moved && pass < kContactPasses; ++pass) {
        moved = false;
        for (int c = 0; c < colliders.count; ++c) {
            if (!colliders[c].container || colliders[c].kills || colliders[c].shape == ColliderShape::mesh) continue;
            const Contact contact = primitiveContact(colliders[c], p);
            if (!contact || contact.point == p) continue;
            p = contact.point;
            moved = true;
        }
    }
    return p;
}

// Contacts of a particle that went from xBefore to p: the deepest, the collider of it, or -1, and the position that
// resolves them all.
struct ResolvedContact {
    Contact deepest;
    int collider = -1;
    Vec3 place;
};

// Where several colliders are touched the deepest is left first: it was entered first (§4.4.4).
PURL_HD inline ResolvedContact resolveContact(Span<const PlacedCollider> colliders, Vec3 xBefore, Vec3 p) {
    ResolvedContact result;
    for (int pass = 0; pass < kContactPasses; ++pass) {
        // Having been moved to one surface, p may miss it by rounding; that is no new contact.
        Contact hit;
        hit.depth = pass == 0 ? 0 : 4e-7f * (std::fabs(p.x) + std::fabs(p.y) + std::fabs(p.z));
        int by = -1;
        for (int c = 0; c < colliders.count; ++c) {
            if (colliders[c].kills) continue;
            const Contact contact = contactWith(colliders[c], xBefore, p, pass == kContactPasses - 1);
            if (contact.depth <= hit.depth) continue;
            hit = contact;
            by = c;
        }
        if (by < 0) break;
        p = hit.point;
        if (hit.depth <= result.deepest.depth) continue;
        result.deepest = hit;
        result.collider = by;
    }
    if (result.collider >= 0) result.place = insideContainers(colliders, p);
    return result;
}

struct ResolveContacts {
    Span<const PlacedCollider> colliders;
    Span<const float> restitution;  // one a body
    Span<const int> body;
    Span<const Vec3> xBefore;
    Span<const float> grip;  // of each particle, or empty: share of the sliding that contact removes besides friction
    float dt;
    Span<Vec3> x, v;    // read and written
    Span<int> touched;  // the collider that changed v, or -1; or empty

    PURL_HD void operator()(int i) const {
        if (touched.count) touched[i] = -1;
        if (!isFinite(x[i])) return;
        const ResolvedContact contact = resolveContact(colliders, xBefore[i], x[i]);
        if (contact.collider < 0) return;
        x[i] = contact.place;
        if (touched.count) touched[i] = contact.collider;
        const PlacedCollider& collider = colliders[contact.collider];
        v[i] = respond(v[i], surfaceVelocity(collider, contact.deepest, dt), contact.deepest, restitution[body[i]],
                       collider.friction, dt, grip.count ? grip[i] : 0);
    }
};

// keep[i]: whether particle i is outside all kill volumes. Thickness enlarges those as it does obstacles.
struct Survives {
    Span<const PlacedCollider> colliders;
    Span<const Vec3> xBefore, x;
    Span<int> keep;

    PURL_HD void operator()(int i) const {
        keep[i] = 1;
        if (!isFinite(x[i])) return;  // the NaN guard reports it
        for (int c = 0; c < colliders.count; ++c)
            if (colliders[c].kills && contactWith(colliders[c], xBefore[i], x[i], false)) keep[i] = 0;
    }
};

}  // namespace purl
