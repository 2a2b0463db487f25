// Boundary forces for wcsph (Bayraktar §5.1.2, 5.1.3): boundary samples repel nearby particles directly instead of
// contributing to density and pressure. They need only distances, and one pass instead of two.
#pragma once
#include "solver/boundary/boundary.h"
#include "solver/fluid/material.h"
#include "solver/particles.h"

namespace purl {

// f = D/d ((d₀/d)¹² − (d₀/d)⁶) for d < d₀, m/s²; 0 beyond, so that it never attracts.   Bayraktar 5.3
PURL_HD inline float lennardJones(float d, float range, float strength) {
    if (!(d > 0) || d >= range) return 0;
    const float q2 = square(range / d), q6 = q2 * q2 * q2;
    return strength / d * (q6 * q6 - q6);
}

// Spring-damper contact between two spheres. All coefficients are per unit of the particle's mass.
struct BallContact {
    float reach;      // m, the sum of the radii
    float stiffness;  // 1/s²
    float damping;    // 1/s

    // With u = R_i + R_j − |d| > 0 and n = d/|d|:  f_n = k u n − c (v·n) n   Bayraktar 4.9, sign of u corrected
    PURL_HD Vec3 normal(Vec3 d, Vec3 v) const {
        const float r = length(d), overlap = reach - r;
        if (!(overlap > 0) || !(r > 0)) return {};
        const Vec3 n = d / r;
        return (stiffness * overlap - damping * dot(v, n)) * n;
    }
    // f_t = −μ k u v_t/|v_t|   Bayraktar 4.10
    PURL_HD Vec3 friction(Vec3 d, Vec3 v, float coefficient) const {
        const float r = length(d), overlap = reach - r;
        if (!(overlap > 0) || !(r > 0)) return {};
        const Vec3 n = d / r, sliding = v - dot(v, n) * n;
        return (-coefficient * stiffness * overlap) * normalized(sliding, {0, 0, 0});
    }
};

// Adds the repulsion of boundary samples to accelerations: `range` in support radii, `strength` in m²/s².
void addLennardJonesForces(Particles& particles, const Boundary& boundary, const Materials& materials, float range,
                           float strength);
// Adds spring-damper contact with the samples as spheres one spacing in diameter. Friction is limited to what stops
// sliding within dt.
void addDemForces(Particles& particles, const Boundary& boundary, const Materials& materials, float stiffness,
                  float damping, float dt);

}  // namespace purl
