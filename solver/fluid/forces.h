// The forces of wcsph in one sweep over the neighbours: a = F/ρ. To add a force, define its pair term in a separate
// header and add its sum here.
#pragma once
#include "solver/fluid/external.h"
#include "solver/fluid/lanes.h"
#include "solver/fluid/pressure/pressureForce.h"
#include "solver/fluid/tension.h"
#include "solver/fluid/viscosity.h"
#include "solver/particles.h"
#include "solver/search/neighbors.h"

namespace purl {

// What is packed per particle and differs between sweeps.
enum class Mixture {
    one,                // one fluid: the numbers of all neighbours are the particle's own
    oneWithoutSurface,  // and no colour field
    several,            // neighbours bring theirs along
    severalFractional   // and fractional derivatives beside their velocities
};

// Particles whose fluid has the pressure kernel W and the given form of the pressure force. A particle weights its
// neighbours with its own fluid's kernels. So between fluids of different support radius the two forces of a pair
// differ slightly; within a fluid they are equal and opposite.
template <class W, Mixture kMixture>
struct ForcesSweep {
    static constexpr bool kSeveral = kMixture == Mixture::several || kMixture == Mixture::severalFractional;
    static constexpr bool kFractional = kMixture == Mixture::severalFractional;
    static constexpr bool kSurface = kMixture != Mixture::oneWithoutSurface;

    Span<const FluidConstants> fluids;
    Span<const FieldConstants> fields;
    Vec3 gravity;
    PressureForm form;
    Span<const int> body;
    const Float4* points;  // x, V
    const Float4* flow;    // v, and PressureTerm::value
    const Float4* traits;  // if several: PressureTerm::weight, viscosity, 1 if fractional
    const Float4* past;    // if fractional: replaces v between fractional fluids
    Span<const Vec3> v;
    Span<const float> density, volume;
    Span<Vec3> a, normal;
    Span<Float4> gradient;  // of the colour field, 1/m; optional

    template <class F>
    struct Own {
        VecOf<F> x, v, past;
        F p, viscosity, fractional;
        W pressure;
        ViscosityKernel friction;
        Poly6 color;
    };
    template <class F>
    struct Sums {
        VecOf<F> pressure, friction;
        ColorSums<F> color;
    };
    PURL_HD bool includes(int i) const {
        const FluidConstants& fluid = fluids[body[i]];
        return fluid.weightsPressureWith<W>() && fluid.pressureForm == form;
    }
    template <class F>
    PURL_HD Own<F> own(int i) const {
        const FluidConstants& fluid = fluids[body[i]];
        Own<F> own{
            broadcast<F>(Vec3(points[i])), broadcast<F>(Vec3(flow[i])), {},         F(flow[i].w), F(0.0f), F(0.0f),
            fluid.smoothing<W>(),          fluid.viscosityKernel,       fluid.poly6};
        if (form == PressureForm::basic) own.p = F(0.0f);
        if constexpr (kSeveral) own.viscosity = F(traits[i].y);
        if constexpr (kFractional) {
            own.past = broadcast<F>(Vec3(past[i]));
            own.fractional = F(traits[i].z);
        }
        return own;
    }
    template <class F>
    PURL_HD void pair(const Own<F>& own, const Neighbor<F>& j, Sums<F>& sums) const {
        const Row<F> other = j.row(points);
        const VecOf<F> d = own.x - other.xyz();
        const F r2 = dot(d, d), r = sqrt(max(r2, F(1e-30f)));
        const Row<F> otherFlow = j.row(flow);
        F pressure = otherFlow.w + own.p, friction = other.w * own.friction.bend(r);
        VecOf<F> slip = otherFlow.xyz() - own.v;
        if constexpr (kSeveral) {
            const Row<F> trait = j.row(traits);
            pressure = pressure * trait.x;
            friction = friction * viscosityShare(own.viscosity, trait.y);
            if constexpr (kFractional) {
                const auto both = own.fractional * trait.z > F(0.0f);
                slip = select(both, j.row(past).xyz() - own.past, slip);
            }
        }
        sums.pressure = fma(pressure * own.pressure.slope(r), d, sums.pressure);
        sums.friction = fma(friction, slip, sums.friction);
        if constexpr (kSurface) sums.color.add(own.color, d, r2, other.w);
    }
    PURL_HD void finish(int i, const Sums<float>& sums) const {
        const FluidConstants& fluid = fluids[body[i]];
        const float inverseDensity = 1 / density[i];
        const float weight = kSeveral ? 1 : fluid.mass * fluid.inverseRestDensity;
        const float pressureScale =
            weight * pressureFactor(form, fluid, inverseDensity) * fluid.smoothing<W>().gradient;
        const float frictionScale = frictionFactor(fluid, kSeveral) * fluid.viscosityKernel.laplace;
        Vec3 acceleration =
            (inverseDensity * frictionScale) * vec3(sums.friction) - pressureScale * vec3(sums.pressure);
        acceleration +=
            purl::weight(fluid, density[i], gravity) + fieldsAt(Vec3(points[i]), fields) - fluid.params.drag * v[i];
        ColorField color;
        if (kSurface && fluid.hasColorSurface()) color = ColorField(fluid.poly6, sums.color, volume[i]);
        const bool isSurface = color.isSurface(fluid.surfaceThreshold) && fluid.hasColorSurface();
        if (isSurface) acceleration += inverseDensity * color.tension(fluid.surfaceTension);
        a[i] = acceleration;
        if (gradient.count) gradient[i] = color.packed();
        normal[i] = isSurface ? color.outward() : Vec3{};
    }
};

// Writes accelerations and normals, and the colour field's gradient to `memory` for cohesion; requires densities,
// pressures and volumes of all particles. `past` replaces velocities in fractional viscosity; empty if no fluid uses
// it.
void applyForces(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                 const Buffer<float>& volume, LaneMemory& memory, Span<const Vec3> past = {});
inline void applyForces(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                        const Buffer<float>& volume) {
    LaneMemory memory(volume.device());
    applyForces(particles, neighbors, materials, volume, memory);
}

}  // namespace purl
