// Non-pressure forces, for solvers that compute pressure separately: gravity, fields, viscosity, surface tension, XSPH
// and vorticity confinement, on the same neighbour lists.
#pragma once
#include "solver/boundary/boundary.h"
#include "solver/fluid/external.h"
#include "solver/fluid/lanes.h"
#include "solver/fluid/tension.h"
#include "solver/fluid/viscosity.h"
#include "solver/particles.h"
#include "solver/search/neighbors.h"

namespace purl {

// kSeveral: neighbours bring the numbers of their fluid along. kBlend: XSPH.
template <bool kSeveral, bool kFractional, bool kBlend>
struct NonPressureSweep {
    const Float4* points;  // x, V
    const Float4* flow;    // v
    const Float4* traits;  // if several: mass, rest density, viscosity, 1 if fractional
    const Float4* past;    // if fractional: replaces v in the viscosity of, or between, fractional fluids
    Boundary::View boundary;
    bool hasBoundary;
    CubicSpline W, wallW;
    float wallShare;  // ratio of the fluid kernel's gradient to wallW's
    Span<const FluidConstants> fluids;
    Span<const FieldConstants> fields;
    Vec3 gravity;
    bool includeGravity;  // false if gravity and fields were applied before
    float xsphRate;       // 1/s
    Span<const int> body;
    Span<const float> density, volume;
    Span<Vec3> a, normal;
    Span<Float4> gradient;  // of the colour field, 1/m; optional

    template <class F>
    struct Own {
        VecOf<F> x, v, past;
        F restDensity, viscosity, fractional;
        ViscosityKernel friction;
        Poly6 color;
    };
    template <class F>
    struct Sums {
        VecOf<F> friction, blend;
        ColorSums<F> color;
    };
    template <class F>
    PURL_HD Own<F> own(int i) const {
        const FluidConstants& fluid = fluids[body[i]];
        Own<F> own{broadcast<F>(Vec3(points[i])),
                   broadcast<F>(Vec3(flow[i])),
                   {},
                   F(fluid.restDensity),
                   F(0.0f),
                   F(0.0f),
                   fluid.viscosityKernel,
                   fluid.poly6};
        if constexpr (kFractional) own.past = broadcast<F>(Vec3(past[i]));
        if constexpr (kSeveral) {
            own.viscosity = F(traits[i].z);
            own.fractional = F(traits[i].w);
        }
        return own;
    }
    template <class F>
    PURL_HD void pair(const Own<F>& own, const Neighbor<F>& j, Sums<F>& sums) const {
        const Row<F> other = j.row(points);
        const VecOf<F> d = own.x - other.xyz(), slip = j.row(flow).xyz() - own.v;
        const F r2 = dot(d, d), r = sqrt(r2);
        VecOf<F> drift = slip;
        if constexpr (kFractional) drift = j.row(past).xyz() - own.past;
        F friction = other.w * own.friction.bend(r), blend(0.0f);
        if constexpr (kBlend) blend = W.shape(r);
        if constexpr (kSeveral) {
            const Row<F> trait = j.row(traits);
            if constexpr (kFractional) drift = select(own.fractional * trait.w > F(0.0f), drift, slip);
            friction = friction * viscosityShare(own.viscosity, trait.z);
            if constexpr (kBlend) blend = blend * trait.x / (own.restDensity + trait.y);
        }
        sums.friction = fma(friction, drift, sums.friction);
        // Δv = c Σ (vⱼ − vᵢ) mⱼ/ρ̄ Wᵢⱼ   XSPH, with the mean of both rest densities: conserves momentum, and c has no
        // unit
        if constexpr (kBlend) sums.blend = fma(blend, slip, sums.blend);
        sums.color.add(own.color, d, r2, other.w);
    }
    PURL_HD void finish(int i, const Sums<float>& sums) const {
        const FluidConstants& fluid = fluids[body[i]];
        const Vec3 x = Vec3(points[i]), v = Vec3(flow[i]);
        const bool hasSurface = fluid.hasColorSurface();
        const float inverseDensity = 1 / density[i];
        ColorField color;
        if (hasSurface) color = ColorField(fluid.poly6, sums.color, volume[i]);
        // A boundary is not a free surface: its samples complete the neighbourhood.
        if (hasBoundary && hasSurface)
            boundary.forEach(i, [&](Vec3 at, float wallVolume, Vec3, float) {
                const Vec3 d = x - at;
                color.gradient += (wallShare * wallVolume * wallW.gradientFactor(length(d))) * d;
            });
        const float frictionScale = frictionFactor(fluid, kSeveral) * fluid.viscosityKernel.laplace;
        const float blendScale = W.value * (kSeveral ? 2 : fluid.mass * fluid.inverseRestDensity);
        Vec3 acceleration = (inverseDensity * frictionScale) * vec3(sums.friction) +
                            (xsphRate * blendScale) * vec3(sums.blend) - dragAtRest(fluid) * v;
        if (includeGravity) acceleration += weightAtRest(fluid, density[i], gravity) + fieldsAt(x, fields);
        const bool isSurface = hasSurface && color.isSurface(fluid.surfaceThreshold);
        if (isSurface) acceleration += inverseDensity * color.tension(fluid.surfaceTension);
        a[i] = acceleration;
        if (gradient.count) gradient[i] = color.packed();
        normal[i] = isSurface ? color.outward() : Vec3{};
    }
};

// ωᵢ = ∇×v = Σⱼ Vⱼ ∇Wᵢⱼ × (vⱼ − vᵢ)
struct VorticitySweep {
    CubicSpline W;
    const Float4* points;  // x, V
    const Float4* flow;    // v
    Float4* omega;         // ω, |ω|

    template <class F>
    struct Own {
        VecOf<F> x, v;
    };
    template <class F>
    struct Sums {
        VecOf<F> curl;
    };
    template <class F>
    PURL_HD Own<F> own(int i) const {
        return {broadcast<F>(Vec3(points[i])), broadcast<F>(Vec3(flow[i]))};
    }
    template <class F>
    PURL_HD void pair(const Own<F>& own, const Neighbor<F>& j, Sums<F>& sums) const {
        const Row<F> other = j.row(points);
        const VecOf<F> d = own.x - other.xyz(), slip = j.row(flow).xyz() - own.v;
        sums.curl = fma(other.w * W.slope(sqrt(dot(d, d))), cross(d, slip), sums.curl);
    }
    PURL_HD void finish(int i, const Sums<float>& sums) const {
        const Vec3 curl = W.gradient * vec3(sums.curl);
        omega[i] = {curl.x, curl.y, curl.z, length(curl)};
    }
};

// a += ε h (N × ω), N = η/|η|, η = ∇|ω|   Macklin and Müller 2013, eq. 16; with the factor h, ε has no unit
struct ConfinementSweep {
    CubicSpline W;
    float strength;
    const Float4* points;  // x, V
    const Float4* omega;   // ω, |ω|
    Span<Vec3> a;

    template <class F>
    struct Own {
        VecOf<F> x;
        F size;
    };
    template <class F>
    struct Sums {
        VecOf<F> eta;
    };
    template <class F>
    PURL_HD Own<F> own(int i) const {
        return {broadcast<F>(Vec3(points[i])), F(omega[i].w)};
    }
    template <class F>
    PURL_HD void pair(const Own<F>& own, const Neighbor<F>& j, Sums<F>& sums) const {
        const Row<F> other = j.row(points);
        const VecOf<F> d = own.x - other.xyz();
        const F more = j.row(omega).w - own.size;
        sums.eta = fma(other.w * more * W.slope(sqrt(dot(d, d))), d, sums.eta);
    }
    PURL_HD void finish(int i, const Sums<float>& sums) const {
        const Vec3 eta = W.gradient * vec3(sums.eta);
        const float etaLength = length(eta);
        if (etaLength > 0) a[i] += (strength * W.h / etaLength) * cross(eta, Vec3(omega[i]));
    }
};

enum class Gravity { include, alreadyApplied };

// Writes accelerations and normals, and the colour field's gradient to `memory` for cohesion; requires densities and
// volumes. The XSPH blend is spread over dt.
void applyNonPressureForces(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                            const Materials& materials, const SolverParams& params, float dt, Gravity gravity,
                            const Buffer<Vec3>& v, const Buffer<float>& volume, LaneMemory& memory,
                            Span<const Vec3> past = {});

}  // namespace purl
