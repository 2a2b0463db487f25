// Impulses on the points of soft bodies: the kernels of SoftBodies::push().
#pragma once
#include "solver/soft/matching.h"

namespace purl {

// Rigid velocity change of a cluster from impulses.
struct ClusterVelocityChange {
    Vec3 center, velocity, spin;
};

// The fluid that a body displaces does not react to the body's motion within a step, so a much lighter body would be
// thrown farther each time. Fluid in excess of kMaxDensityRatio times the body's density moves, and falls, with the
// body as added mass, so that floating bodies still float.
constexpr float kMaxDensityRatio = 4;
// Only surface points receive impulses; they represent those behind them.
constexpr float kSurfaceShare = 2;

// Δv = P/m + ω × r,  I ω = Σ r × J: clusters take impulses as rigid pieces, conserving momentum and angular momentum.
// Applied to single points, impulses would dent the surface by an amount that depends on the step.
struct SumClusterImpulses {
    Span<const Cluster> clusters;
    Span<const Member> members;
    Span<const int> membershipStarts;
    Span<const Membership> memberships;
    Span<const Vec3> x, impulses;
    Span<const float> addedMass;  // kg, moves with each point without being part of it
    Vec3 gravityVelocity;         // m/s, change by gravity in the step
    float maxChange;              // m/s, limit of the velocity change if there is added mass
    Span<ClusterVelocityChange> changes;

    PURL_HD float shareOf(int point, int cluster) const {
        for (int p = membershipStarts[point]; p < membershipStarts[point + 1]; ++p)
            if (memberships[p].cluster == cluster) return memberships[p].share;
        return 0;
    }
    PURL_HD void operator()(int c) const {
        const Cluster& cluster = clusters[c];
        const Member* const own = members.data + cluster.firstMember;
        double mass = 0, sum[3] = {};
        for (int m = 0; m < cluster.members; ++m) {
            mass += double(own[m].weight);
            for (int k = 0; k < 3; ++k) sum[k] += double(own[m].weight) * double(x[own[m].point][k]);
        }
        ClusterVelocityChange change;
        for (int k = 0; k < 3; ++k) change.center[k] = static_cast<float>(sum[k] / mass);
        Vec3 total, angularImpulse;
        double addedClusterMass = 0;
        double xx = 0, yy = 0, zz = 0, xy = 0, yz = 0, zx = 0;
        for (int m = 0; m < cluster.members; ++m) {
            const Vec3 r = x[own[m].point] - change.center;
            const double w = own[m].weight;
            xx += w * double(r.x * r.x), yy += w * double(r.y * r.y), zz += w * double(r.z * r.z);
            xy += w * double(r.x * r.y), yz += w * double(r.y * r.z), zx += w * double(r.z * r.x);
            const Vec3 impulse = impulses[own[m].point];
            if (impulse == Vec3{}) continue;
            const Vec3 clusterImpulse = shareOf(own[m].point, c) * impulse;
            total += clusterImpulse;
            angularImpulse += cross(r, clusterImpulse);
            if (addedMass.count) addedClusterMass += double(shareOf(own[m].point, c) * addedMass[own[m].point]);
        }
        change.velocity = (total - static_cast<float>(addedClusterMass) * gravityVelocity) /
                          static_cast<float>(mass + addedClusterMass);
        const float speed = length(change.velocity);
        if (addedClusterMass > 0 && speed > maxChange) {
            change.velocity *= maxChange / speed;
            angularImpulse *= maxChange / speed;
        }
        angularImpulse *= static_cast<float>(mass / (mass + addedClusterMass));
        // Cramer's rule; a body that is a line or a point does not rotate.
        const double a = yy + zz, b = xx + zz, d = xx + yy, trace = xx + yy + zz;
        const double cofactor[6] = {b * d - yz * yz,  a * d - zx * zx,  a * b - xy * xy,
                                    zx * yz + xy * d, xy * yz + zx * b, xy * zx + yz * a};
        const double det = a * cofactor[0] - xy * cofactor[3] - zx * cofactor[4];
        if (det > 1e-9 * trace * trace * trace) {
            const double t[3] = {angularImpulse.x, angularImpulse.y, angularImpulse.z};
            change.spin = {static_cast<float>((cofactor[0] * t[0] + cofactor[3] * t[1] + cofactor[4] * t[2]) / det),
                           static_cast<float>((cofactor[3] * t[0] + cofactor[1] * t[1] + cofactor[5] * t[2]) / det),
                           static_cast<float>((cofactor[4] * t[0] + cofactor[5] * t[1] + cofactor[2] * t[2]) / det)};
        }
        changes[c] = change;
    }
};

// What a body takes of the impulses on its points.
struct PushedBody {
    float depth;   // m
    float excess;  // of the fluid's density over kMaxDensityRatio times its own, relative to its own
};
struct ScaleImpulses {
    Span<const PushedBody> bodies;
    Span<const int> body;
    Span<const float> inverseMass;
    Span<const Vec3> given;
    Span<Vec3> impulses;
    Span<float> addedMass;  // kg, or empty

    PURL_HD void operator()(int i) const {
        const PushedBody& own = bodies[body[i]];
        impulses[i] = own.depth * given[i];
        if (addedMass.count)
            addedMass[i] = own.excess > 0 && inverseMass[i] > 0 ? kSurfaceShare * own.excess / inverseMass[i] : 0;
    }
};

struct ApplyVelocityChanges {
    Span<const int> membershipStarts;
    Span<const Membership> memberships;
    Span<const ClusterVelocityChange> changes;
    Span<const float> inverseMass;
    Span<const Vec3> x;
    Span<Vec3> v;
    PURL_HD void operator()(int i) const {
        if (!(inverseMass[i] > 0)) return;
        for (int p = membershipStarts[i]; p < membershipStarts[i + 1]; ++p) {
            const ClusterVelocityChange& change = changes[memberships[p].cluster];
            v[i] += memberships[p].share * (change.velocity + cross(change.spin, x[i] - change.center));
        }
    }
};

}  // namespace purl
