// Contact of a particle with colliders, and the response to it: the kernels of resolveContacts and killInside.
#pragma once
#include "solver/colliders/colliders.h"
#include "solver/core/math.h"

namespace purl {

// Primitives are tested at the current position only (no CCD). The gap enlarges obstacles and shrinks containers.
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

// True if no point inside the box can touch the collider (broad phase).
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

// Contact of a particle that crossed a triangle: projects it back along the normal to the side it came from, which
// keeps its tangential motion. With goBack, returns it to the start of its path, moved with the triangle; that position
// is always allowed.
PURL_HD inline Contact crossingContact(const Crossing& crossing, Vec3 x, float gap, bool goBack) {
    const Vec3 allowed = crossing.outward ? -crossing.normal : crossing.normal;
    const float depth = gap - dot(x - crossing.point, allowed);
    return {depth, goBack ? crossing.start : x + depth * allowed, allowed, crossing.triangle};
}

// Side of the surface: 1 in front, −1 behind.
PURL_HD inline float sideOf(const ClosestPoint& nearest, Vec3 x) {
    return dot(x - nearest.point, nearest.normal) < 0 ? -1.0f : 1.0f;
}

// Keeps x on one side of the nearest point, `gap` away from it.
PURL_HD inline Contact nearContact(const ClosestPoint& nearest, Vec3 x, float allowedSide, float gap) {
    const float side = sideOf(nearest, x);
    // Too close to the surface for a reliable direction: use the normal.
    const bool touching = nearest.distance <= 1e-3f * gap;
    const Vec3 away = touching ? side * nearest.normal : (x - nearest.point) / nearest.distance;
    const Vec3 allowed = side == allowedSide ? away : -away;
    const float depth = gap - (side == allowedSide ? nearest.distance : -nearest.distance);
    if (depth <= 0) return {};
    return {depth, nearest.point + gap * allowed, allowed, nearest.triangle};
}

// Meshes are tested along the particle's path relative to the moving triangles (CCD), so that thin walls and fast
// colliders do not leak. A closed mesh has one allowed side; a particle on the other side moves to the closest point.
PURL_HD inline Contact closedMeshContact(const PlacedCollider& c, Vec3 xBefore, Vec3 x, bool goBack) {
    const Crossings forbidden = c.container ? Crossings::outward : Crossings::inward;
    if (const Crossing crossing = c.mesh.crossesInMotion(xBefore, x, forbidden))
        return crossingContact(crossing, x, c.gap, goBack);
    ClosestPoint nearest = c.mesh.closest(x, c.gap);
    // Beyond the gap only the forbidden side matters: particles emitted there or pushed there by another collider.
    if (!nearest && c.mesh.isInsideByRay(x) != c.container) nearest = c.mesh.closest(x);
    if (!nearest) return {};
    return nearContact(nearest, x, c.container ? -1.0f : 1.0f, c.gap);
}

// An open mesh has no forbidden side, but particles must not change sides. Where a moving mesh bends, adjacent
// triangles may disagree about a crossing; the sides at the start and end of the path then decide.
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

// Velocity of the collider's surface at the contact, m/s.
PURL_HD inline Vec3 surfaceVelocity(const PlacedCollider& c, const Contact& contact, float dt) {
    if (!(dt > 0)) return {};
    if (c.shape == ColliderShape::mesh) return c.mesh.displacement(contact.triangle, contact.point) / dt;
    return (contact.point - c.before.toWorld(c.after.toLocal(contact.point))) / dt;
}

// The friction parameter is the fraction of the tangential velocity that contact removes within this time, so that the
// effect does not depend on the step size.
constexpr float kFrictionTime = 0.01f;  // s

// u := u − (1 + c_R d / (Δt |u|)) (u·n) n   (4.58), relative to the surface. The penetration time d / |u| is clamped to
// the step, and separating particles are not changed.
PURL_HD inline Vec3 respond(Vec3 u, Vec3 surface, const Contact& contact, float restitution, float friction, float dt,
                            float grip = 0) {
    const Vec3 relative = u - surface;
    const float speed = length(relative), approach = dot(relative, contact.normal);
    if (!(speed > 0) || !(dt > 0) || approach >= 0) return u;
    const float inside = clamp(contact.depth / (dt * speed), 0, 1);
    const Vec3 sliding = relative - approach * contact.normal;
    const float kept = friction <= 0 ? 1 : friction >= 1 ? 0 : pow(1 - friction, dt / kFrictionTime);
    return surface + (1 - grip) * kept * sliding - restitution * inside * approach * contact.normal;
}

constexpr int kContactPasses = 8;  // enough for a corner of three walls and an edge; see also insideContainers

// Overlapping colliders (an obstacle pushed through a wall) may leave no allowed position; then containers take
// priority. They are convex, so alternating projections converge to a point inside all of them if there is one.
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

// The contacts of a particle that moved from xBefore to p: the deepest one, its collider (-1: none), and a position
// without any contact.
struct ResolvedContact {
    Contact deepest;
    int collider = -1;
    Vec3 place;
};

// With several contacts, the deepest is resolved first, because it was entered first (§4.4.4).
PURL_HD inline ResolvedContact resolveContact(Span<const PlacedCollider> colliders, Vec3 xBefore, Vec3 p) {
    ResolvedContact result;
    for (int pass = 0; pass < kContactPasses; ++pass) {
        // After projection to a surface, p may lie inside it by a rounding error, which must not count as a contact.
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
    Span<const float> restitution;  // per fluid
    Span<const int> body;
    Span<const Vec3> xBefore;
    Span<const float> grip;  // per particle, or empty: fraction of tangential velocity removed in addition to friction
    float dt;
    Span<Vec3> x, v;    // read and written
    Span<int> touched;  // per particle, or empty: the collider that changed v, or -1

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

// Sets keep[i] to 1 if particle i is outside all kill volumes, otherwise 0. The gap enlarges them like obstacles.
struct MarkSurvivors {
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

// 1 for a point that is more than `depth` metres on the forbidden side.
struct IsInside {
    Span<const PlacedCollider> colliders;
    int which;
    Span<const Vec3> x;
    float depth;
    PURL_HD int operator()(int i) const {
        return contactWith(colliders[which], x[i], x[i], false).depth > depth ? 1 : 0;
    }
};

}  // namespace purl
