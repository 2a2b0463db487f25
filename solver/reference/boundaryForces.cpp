#include "solver/reference/boundaryForces.h"

#include "solver/core/forEach.h"

namespace purl {
namespace {

// Below this fraction of the range the repulsion is constant: the twelfth power would be unstable at any practical time
// step. Collision contact still keeps particles out.
constexpr float kMinDistanceRatio = 0.8f;

struct RepelFromWalls {
    Boundary::View boundary;
    Span<const Vec3> x;
    float range, strength;
    Span<Vec3> a;

    PURL_HD void operator()(int i) const {
        if (boundary.count(i) == 0) return;
        Vec3 sum;
        boundary.forEach(i, [&](Vec3 at, float, Vec3, float) {
            const Vec3 d = x[i] - at;
            const float r = length(d);
            sum += lennardJones(r > kMinDistanceRatio * range ? r : kMinDistanceRatio * range, range, strength) *
                   normalized(d, {0, 0, 0});
        });
        a[i] += sum;
    }
};

struct TouchWalls {
    Boundary::View boundary;
    BallContact contact;
    Span<const Vec3> x, v;
    float dt;
    Span<Vec3> a;

    PURL_HD void operator()(int i) const {
        if (boundary.count(i) == 0) return;
        Vec3 normal, friction, motion;
        float contacts = 0;
        boundary.forEach(i, [&](Vec3 at, float, Vec3 u, float coefficient) {
            const Vec3 d = x[i] - at;
            if (!(lengthSquared(d) < square(contact.reach))) return;
            normal += contact.normal(d, v[i] - u);
            friction += contact.friction(d, v[i] - u, coefficient);
            motion += u;
            contacts += 1;
        });
        if (!(contacts > 0)) return;
        // Friction may stop sliding within dt, but not reverse it.
        const float maxFriction = dt > 0 ? length(v[i] - motion / contacts) / dt : 0, f = length(friction);
        a[i] += normal + (f > maxFriction ? maxFriction / f : 1.0f) * friction;
    }
};

}  // namespace

void addLennardJonesForces(Particles& particles, const Boundary& boundary, const Materials& materials, float range,
                           float strength) {
    if (boundary.empty()) return;
    forEach(particles.x.device(), "repelFromWalls", particles.count(),
            RepelFromWalls{boundary.view(), particles.x.span(), range * materials.searchRadius, strength,
                           particles.a.span()});
}

void addDemForces(Particles& particles, const Boundary& boundary, const Materials& materials, float stiffness,
                  float damping, float dt) {
    if (boundary.empty()) return;
    forEach(particles.x.device(), "touchWalls", particles.count(),
            TouchWalls{boundary.view(), BallContact{materials.spacing, stiffness, damping}, particles.x.span(),
                       particles.v.span(), dt, particles.a.span()});
}

}  // namespace purl
