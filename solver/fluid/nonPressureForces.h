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

struct NonPressureForces {
    Neighbors::View neighbors;
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
    Span<const Vec3> v;
    Span<const Vec3> past;  // fractional derivative that replaces v in fractional viscosity, or empty
    Span<const float> density, volume;
    Span<Vec3> a, normal;
    Span<Float4> gradient;  // of the colour field, 1/m; optional

    PURL_HD void operator()(int i) const {
        const FluidConstants& fluid = fluids[body[i]];
        const bool hasSurface = fluid.hasColorSurface();
        const Vec3 vi = v[i];

        Vec3 friction, blend;
        ColorField color;
        color.addSelf(fluid.poly6, volume[i]);
        neighbors.forEach(i, [&](int j, Vec3 d, float r2) {
            const float r = std::sqrt(r2);
            const FluidConstants& other = fluids[body[j]];
            const bool fractional = past.count > 0 && isFractional(fluid) && isFractional(other);
            friction +=
                pairViscosity(fluid, other) * viscosityTerm(fractional ? past[i] : vi, fractional ? past[j] : v[j],
                                                            volume[j], fluid.viscosityKernel.laplacian(r));
            // Δv = c Σ (vⱼ − vᵢ) mⱼ/ρ̄ Wᵢⱼ   XSPH, with the mean of both rest densities: conserves momentum, and c has
            // no unit
            blend += (2 * other.mass / (fluid.restDensity + other.restDensity) * W(r)) * (v[j] - vi);
            if (hasSurface) color.add(fluid.poly6, d, r2, volume[j]);
        });
        finish(i, friction, blend, color);
    }

    // Computes acceleration and normal from the sums over neighbours.
    PURL_HD void finish(int i, Vec3 friction, Vec3 blend, ColorField color) const {
        const FluidConstants& fluid = fluids[body[i]];
        const bool hasSurface = fluid.hasColorSurface();
        const float inverseDensity = 1 / density[i];
        // A boundary is not a free surface: its samples complete the neighbourhood.
        if (hasBoundary && hasSurface)
            boundary.forEach(i, [&](Vec3 x, float wallVolume, Vec3, float) {
                const Vec3 d = neighbors.x[i] - x;
                color.gradient += (wallShare * wallVolume * wallW.gradientFactor(length(d))) * d;
            });

        Vec3 acceleration = inverseDensity * friction + xsphRate * blend - dragAtRest(fluid) * v[i];
        if (includeGravity) acceleration += weightAtRest(fluid, density[i], gravity) + fieldsAt(neighbors.x[i], fields);
        const bool isSurface = hasSurface && color.isSurface(fluid.surfaceThreshold);
        if (isSurface) acceleration += inverseDensity * color.tension(fluid.surfaceTension);
        a[i] = acceleration;
        if (gradient.count) gradient[i] = color.packed();
        normal[i] = isSurface ? color.outward() : Vec3{};
    }
};

// ωᵢ = ∇×v = Σⱼ Vⱼ ∇Wᵢⱼ × (vⱼ − vᵢ)
struct Vorticity {
    Neighbors::View neighbors;
    CubicSpline W;
    Span<const Vec3> v;
    Span<const float> volume;
    Span<Vec3> omega;

    PURL_HD void operator()(int i) const {
        Vec3 sum;
        neighbors.forEach(i, [&](int j, Vec3 d, float r2) {
            sum += (volume[j] * W.gradientFactor(std::sqrt(r2))) * cross(d, v[j] - v[i]);
        });
        omega[i] = sum;
    }
};

// a += ε h (N × ω), N = η/|η|, η = ∇|ω|   Macklin and Müller 2013, eq. 16; with the factor h, ε has no unit
struct ConfineVorticity {
    Neighbors::View neighbors;
    CubicSpline W;
    float strength;
    Span<const float> volume;
    Span<const Vec3> omega;
    Span<Vec3> a;

    PURL_HD void operator()(int i) const {
        const float own = length(omega[i]);
        Vec3 eta;
        neighbors.forEach(i, [&](int j, Vec3 d, float r2) {
            eta += (volume[j] * (length(omega[j]) - own) * W.gradientFactor(std::sqrt(r2))) * d;
        });
        const float etaLength = length(eta);
        if (etaLength > 0) a[i] += (strength * W.h / etaLength) * cross(eta, omega[i]);
    }
};

enum class Gravity { include, alreadyApplied };

// Writes accelerations and normals, and the colour field's gradient to `memory` for cohesion; requires densities and
// volumes. The XSPH blend is spread over dt. One fluid on a CPU uses a vectorized loop, which sums in a different
// order; `tuned` = false disables it.
void applyNonPressureForces(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                            const Materials& materials, const SolverParams& params, float dt, Gravity gravity,
                            const Buffer<Vec3>& v, const Buffer<float>& volume, Buffer<Vec3>& omega, LaneMemory& memory,
                            bool tuned = true, Span<const Vec3> past = {});

}  // namespace purl
