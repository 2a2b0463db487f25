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
// this times d. Finite at r = 0.
template <class F>
PURL_HD F cohesionFactor(float h, const F& r) {
    const float h3 = h * h * h;
    const F q = max(F(h) - r, F(0.0f)), far = q * q * q * r * r;
    const F near = far + far - F(h3 * h3 / 64) / max(r, F(1e-15f));
    return select(r > F(0.5f * h), far, near);
}
// The same for area minimization (eq. 3): the component of the normals' difference n along d, weighted to fade out
// towards h. The component across d is omitted, because it would exert a torque.
template <class F>
PURL_HD F eveningFactor(float h2, const VecOf<F>& n, const VecOf<F>& d, const F& r2) {
    return max(F(h2) - r2, F(0.0f)) * dot(n, d);
}

template <bool kSeveral>
struct CohesionSweep {
    Span<const FluidConstants> fluids;
    const int* body;         // readable one past the last particle
    const Float4* points;    // x
    const Float4* gradient;  // of the colour field, 1/m, inward; |n|²
    Span<Vec3> a;

    template <class F>
    struct Own {
        VecOf<F> x, n;
        F n2;
        int body;
        float h, h2;
        F cohesion, evening;
    };
    template <class F>
    struct Sums {
        VecOf<F> pull;
    };
    PURL_HD bool includes(int i) const { return fluids[body[i]].cohesion > 0; }
    template <class F>
    PURL_HD Own<F> own(int i) const {
        const FluidConstants& fluid = fluids[body[i]];
        return {broadcast<F>(Vec3(points[i])),
                broadcast<F>(Vec3(gradient[i])),
                F(gradient[i].w),
                body[i],
                fluid.spiky.h,
                fluid.poly6.h2,
                F(fluid.cohesion),
                F(fluid.evening)};
    }
    template <class F>
    PURL_HD void pair(const Own<F>& own, const Neighbor<F>& j, Sums<F>& sums) const {
        const Row<F> other = j.row(gradient);
        const VecOf<F> d = own.x - j.row(points).xyz();
        // Multiplied by the factor first: coefficient times |n|² exceeds a float at spacings of 0.1 mm.
        const F r2 = dot(d, d), perSurface = own.cohesion * cohesionFactor(own.h, sqrt(r2));
        F pull = fma(own.n2 + other.w, perSurface, own.evening * eveningFactor(own.h2, own.n - other.xyz(), d, r2));
        // No cohesion across an interface: its absence is the interface's tension.
        if constexpr (kSeveral) pull = select(j.equal(body, own.body), pull, F(0.0f));
        sums.pull = fma(pull, d, sums.pull);
    }
    PURL_HD void finish(int i, const Sums<float>& sums) const {
        const FluidConstants& fluid = fluids[body[i]];
        a[i] -= (fluid.mass * square(fluid.inverseRestDensity)) * vec3(sums.pull);
    }
};

// Adds to accelerations; requires the points and the colour field's gradient in `memory`.
void applyCohesion(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                   const LaneMemory& memory);

}  // namespace purl
