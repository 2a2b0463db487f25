// Surface tension by pairwise forces (after Akinci, Akinci and Teschner 2013): a cohesion spline that attracts at a
// distance and repels close by, and differences of normals that minimize the surface area. Both act along the line
// between two particles, which conserves linear and angular momentum. Both act near the surface only: throughout the
// liquid cohesion would crystallize it and raise its pressure far above the Laplace pressure.
#pragma once
#include "solver/fluid/lanes.h"
#include "solver/fluid/material.h"
#include "solver/particles.h"
#include "solver/search/neighbors.h"

namespace purl {

struct CohesionStrength {
    double cohesion = 0;  // N/m¹⁰, multiplied by |nᵢ|² + |nⱼ|² of the colour field's gradients n
    double evening = 0;   // N/m⁹, area minimization by differences of normals
};
// Coefficients that produce this surface tension, N/m, at support radius h.
CohesionStrength cohesionStrength(double surfaceTension, double h);

// The spline of Akinci et al. 2013 (eq. 2) divided by r, without its factor 32/(π h⁹). The force on i is −Vᵢ Vⱼ times
// this times d.
PURL_HD inline float cohesionFactor(float h, float r) {
    const float q = h > r ? h - r : 0, far = q * q * q * r * r;
    const float h3 = h * h * h;
    return 2 * r > h ? far : r > 0 ? 2 * far - h3 * h3 / (64 * r) : 0;
}
// The same for area minimization (eq. 3): the component of the normals' difference n along d, weighted to fade out
// towards h. The component across d is omitted, because it would exert a torque.
PURL_HD inline float eveningFactor(float h2, Vec3 n, Vec3 d, float r2) { return h2 > r2 ? (h2 - r2) * dot(n, d) : 0; }

struct Cohesion {
    Neighbors::View neighbors;
    Span<const FluidConstants> fluids;
    Span<const int> body;
    Span<const Float4> gradient;  // of the colour field, 1/m, inward
    Span<Vec3> a;

    PURL_HD void operator()(int i) const {
        const FluidConstants& fluid = fluids[body[i]];
        const Float4 ni = gradient[i];
        Vec3 sum;
        neighbors.forEach(i, [&](int j, Vec3 d, float r2) {
            // No cohesion across an interface: its absence is the interface's tension.
            if (body[j] != body[i]) return;
            const Float4 nj = gradient[j];
            const Vec3 n{ni.x - nj.x, ni.y - nj.y, ni.z - nj.z};
            sum -= (fluid.cohesion * (ni.w + nj.w) * cohesionFactor(fluid.spiky.h, std::sqrt(r2)) +
                    fluid.evening * eveningFactor(fluid.poly6.h2, n, d, r2)) *
                   d;
        });
        a[i] += (fluid.mass * square(fluid.inverseRestDensity)) * sum;
    }
};

// Adds to accelerations; requires the colour field's gradient in `memory`. One fluid on a CPU uses a vectorized loop,
// which sums in a different order; `tuned` = false disables it.
void applyCohesion(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                   const LaneMemory& memory, bool tuned = true);

}  // namespace purl
