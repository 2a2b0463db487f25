// Surface tension as forces between particles (after Akinci, Akinci and Teschner 2013): a cohesion spline that draws
// them together at a distance and apart near by, and differences of normals that even the surface out. Both act along
// the line between two particles, so that momentum and angular momentum are kept, and only near the surface: in the
// whole liquid cohesion would make a glass of it, and raise a pressure far above the drop's own.
#pragma once
#include "solver/fluid/lanes.h"
#include "solver/fluid/material.h"
#include "solver/particles.h"
#include "solver/search/neighbors.h"

namespace purl {

struct CohesionStrength {
    double cohesion = 0;  // N/m¹⁰, times (|nᵢ|² + |nⱼ|²) of the colour field's gradients
    double evening = 0;   // N/m⁹
};
// What gives a liquid this surface tension, N/m, at the support radius h.
CohesionStrength cohesionStrength(double surfaceTension, double h);

// The force on i is −Vᵢ Vⱼ times this times d: the spline over r without its 32/(π h⁹).   Akinci et al. 2013, eq. 2
PURL_HD inline float cohesionFactor(float h, float r) {
    const float q = h > r ? h - r : 0, far = q * q * q * r * r;
    const float h3 = h * h * h;
    return 2 * r > h ? far : r > 0 ? 2 * far - h3 * h3 / (64 * r) : 0;
}
// The same of the normals' difference n along d (eq. 3), faded out towards h and without what lies across d, which
// would turn the fluid.
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
        Vec3 pull;
        neighbors.forEach(i, [&](int j, Vec3 d, float r2) {
            // Fluids do not attract each other: that is their interface's tension.
            if (body[j] != body[i]) return;
            const Float4 nj = gradient[j];
            const Vec3 n{ni.x - nj.x, ni.y - nj.y, ni.z - nj.z};
            pull -= (fluid.cohesion * (ni.w + nj.w) * cohesionFactor(fluid.spiky.h, std::sqrt(r2)) +
                     fluid.evening * eveningFactor(fluid.poly6.h2, n, d, r2)) *
                    d;
        });
        a[i] += (fluid.mass * square(fluid.inverseRestDensity)) * pull;
    }
};

// Adds to accelerations; wants the colour field's gradient in `memory`. One fluid on a CPU takes a tuned loop, which
// sums in another order, unless not wanted.
void applyCohesion(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                   const LaneMemory& memory, bool tuned = true);

}  // namespace purl
