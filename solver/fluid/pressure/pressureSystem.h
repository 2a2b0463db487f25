// The linear system of pbf and dfsph: how pressures accelerate particles, and how accelerations change densities.
// Formulated per volume with the relative density δ = ρ/ρ₀, which is correct at the interface of fluids with different
// rest densities.
#pragma once
#include "solver/boundary/boundary.h"
#include "solver/fluid/lanes.h"
#include "solver/fluid/material.h"
#include "solver/particles.h"
#include "solver/search/neighbors.h"

namespace purl {

// A vector and a scalar in one aligned load, for data that is read per neighbour.
struct alignas(16) Packed {
    Vec3 v;
    float s = 0;
};

// What dfsph reads per neighbour, within one cache line.
struct alignas(32) PressurePoint {
    Vec3 x;             // m
    float p = 0;        // Pa; in MeasureSystem the rest volume V, m³
    Vec3 u;             // m/s or m/s²
    float always0 = 0;  // so that the product of differences with p is 0, see Neighbor::dotOfDifferences
};

// Padding elements: far enough that every kernel is zero, near enough that the square is finite.
constexpr Vec3 kFar{1e15f, 1e15f, 1e15f};
constexpr Packed kFarAway{kFar, 0};

// Boundary terms of particle i; zero without boundary samples.
PURL_HD inline Packed wallAt(Span<const Packed> wall, int i) { return wall.count > 0 ? wall[i] : Packed{}; }

// The relative density of a particle and its gradients: the constraint of pbf, the diagonal of dfsph.
struct DensityGradient {
    float delta;        // δᵢ = Σⱼ Vⱼ Wᵢⱼ, i and boundary samples included
    float squares = 0;  // Σⱼ |Vⱼ ∇Wᵢⱼ|² / mⱼ over fluid neighbours
    Vec3 sum{};         // Σⱼ Vⱼ ∇Wᵢⱼ

    // Adds a boundary sample to δ. Returns V ∇W, which the caller adds to `sum`.
    PURL_HD Vec3 addSample(const CubicSpline& W, Vec3 d, float volume) {
        const float r = length(d);
        delta += volume * W(r);
        return (volume * W.gradientFactor(r)) * d;
    }
    // |∇δ|² over the motion of i and of its neighbours. Divided by ρ₀ᵢ it is the diagonal of the system, the decrease
    // of d²δ/dt² at i per pascal at i: D = |S + B|² / ρ₀ᵢ + mᵢ/ρ₀ᵢ Σⱼ |Vⱼ ∇Wᵢⱼ|² / mⱼ   Bender and Koschier 2015, eq.
    // 9, without its Δt²
    PURL_HD float slopeSquared(float mass) const { return lengthSquared(sum) + mass * squares; }
};

// Its sums over fluid neighbours, without the constant factors of W; where all particles have one volume and mass,
// without these too.
template <class F>
struct DensityGradientSums {
    F shape{0.0f}, squares{0.0f};
    VecOf<F> slope;

    // Adds the neighbour at xᵢ − d. Returns the slope, times V if given.
    PURL_HD F add(const CubicSpline& W, const VecOf<F>& d) {
        const F r2 = dot(d, d), r = sqrt(r2), f = W.slope(r);
        shape = shape + W.shape(r);
        squares = fma(f * f, r2, squares);
        slope = fma(f, d, slope);
        return f;
    }
    PURL_HD F add(const CubicSpline& W, const VecOf<F>& d, const F& volume, const F& inverseMass) {
        const F r2 = dot(d, d), r = sqrt(r2), f = volume * W.slope(r);
        shape = fma(volume, W.shape(r), shape);
        squares = fma(inverseMass * (f * f), r2, squares);
        slope = fma(f, d, slope);
        return f;
    }
};
PURL_HD inline DensityGradient gradientOf(const DensityGradientSums<float>& sums, const CubicSpline& W,
                                          const FluidConstants& fluid, bool several) {
    const float volume = several ? 1 : fluid.restVolume, inverseMass = several ? 1 : fluid.inverseMass;
    const float scale = volume * W.gradient;
    return {fluid.restVolume * W(0.0f) + volume * W.value * sums.shape, inverseMass * scale * scale * sums.squares,
            scale * vec3(sums.slope)};
}

// Computes δ, the gradient factors of pairs and the diagonal of the system. kSeveral: fluids differ in rest density or
// spacing.
template <bool kSeveral>
struct MeasureSystem {
    Boundary::View boundary;
    bool hasBoundary;
    CubicSpline W, wallW;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    const PressurePoint* points;
    const float* inverseMass;  // if several, 1/kg
    float factor;              // of slopes in `pairs`: V ∇W over slope d, without V if several
    float* pairs;       // fᵢⱼ with Vⱼ ∇Wᵢⱼ = fᵢⱼ (xᵢ − xⱼ), in the order of the neighbour lists
    Span<Packed> wall;  // B = Σ V ∇W over boundary samples, and Σ V v·∇W of their velocities
    Span<float> delta, diagonal;  // δ, and D below
    Span<float> density, volume;  // kg/m³; m³, m/ρ

    template <class F>
    struct Own {
        VecOf<F> x;
    };
    template <class F>
    using Sums = DensityGradientSums<F>;

    template <class F>
    PURL_HD Own<F> own(int i) const {
        return {broadcast<F>(points[i].x)};
    }
    template <class F>
    PURL_HD void pair(const Own<F>& own, const Neighbor<F>& j, Sums<F>& sums) const {
        const Row<F> other = j.row(points);
        const VecOf<F> d = own.x - other.xyz();
        F slope;
        if constexpr (kSeveral)
            slope = sums.add(W, d, other.w, j.value(inverseMass));
        else
            slope = sums.add(W, d);
        j.storeOfPair(F(factor) * slope, pairs);
    }

    // Longest displacement per step that an excess of δ at boundaries may cause, in spacings.
    static constexpr float kMaxDisplacement = 0.1f;

    // Adds the boundary samples to the sums over fluid neighbours.
    PURL_HD void finish(int i, const Sums<float>& sums) const {
        const FluidConstants& fluid = fluids[body[i]];
        const Vec3 xi = points[i].x;
        DensityGradient gradient = gradientOf(sums, W, fluid, kSeveral);
        const float alone = gradient.delta;
        Packed samples;
        if (hasBoundary)
            boundary.forEach(i, [&](Vec3 x, float volume, Vec3 v, float) {
                const Vec3 g = gradient.addSample(wallW, xi - x, volume);
                samples.v += g;
                samples.s += dot(v, g);
            });
        if (wall.count > 0) wall[i] = samples;
        gradient.sum += samples.v;
        const float slope2 = gradient.slopeSquared(fluid.mass);
        // Boundaries close together (a fold of cloth, cloth on a floor) add more volume than there is space, while
        // their gradients cancel. Removing that excess in one step would move the particle by δ / |∇δ|, many spacings;
        // so it is limited to
        //     δ − 1 ≤ kMaxDisplacement s |∇δ|
        delta[i] = gradient.delta;
        if (hasBoundary)
            delta[i] = std::fmin(delta[i], std::fmax(alone, 1 + kMaxDisplacement * fluid.spacing * std::sqrt(slope2)));
        density[i] = fluid.restDensity * delta[i];
        volume[i] = fluid.mass / density[i];
        diagonal[i] = fluid.inverseRestDensity * slope2;
    }
};

// a = −1/ρ₀ᵢ ( Σⱼ (pᵢ + pⱼ) Vⱼ ∇Wᵢⱼ + pᵢ B ): derived from the gradient of δ, so that pressure alone adds no energy
struct PressureAcceleration {
    Span<const int> body;
    Span<const FluidConstants> fluids;
    PressurePoint* points;  // u: written
    const float* pairs;
    Span<const Packed> wall;

    // The vectors u that it writes lie beside the positions and pressures that pairs read.
    static constexpr bool kFinishTogether = true;

    template <class F>
    struct Own {
        VecOf<F> x;
        F p;
    };
    template <class F>
    struct Sums {
        VecOf<F> push;
    };
    template <class F>
    PURL_HD Own<F> own(int i) const {
        return {broadcast<F>(points[i].x), F(points[i].p)};
    }
    template <class F>
    PURL_HD void pair(const Own<F>& own, const Neighbor<F>& j, Sums<F>& sums) const {
        const Row<F> other = j.row(points);
        sums.push = fma(j.ofPair(pairs) * (own.p + other.w), own.x - other.xyz(), sums.push);
    }
    PURL_HD void finish(int i, const Sums<float>& sums) const {
        points[i].u = -fluids[body[i]].inverseRestDensity * (vec3(sums.push) + points[i].p * wallAt(wall, i).v);
    }
};

// Compression rate dδ/dt = Σⱼ Vⱼ (uᵢ − uⱼ)·∇Wᵢⱼ + uᵢ·B of a velocity field u, without the part of the boundaries' own
// velocity.
struct CompressionRate {
    PressurePoint* points;
    const float* pairs;
    Span<const Packed> wall;

    // What follows from the rate is written beside the positions that pairs read.
    static constexpr bool kFinishTogether = true;

    template <class F>
    struct Own {
        int i;
    };
    template <class F>
    struct Sums {
        F rate{0.0f};
    };
    template <class F>
    PURL_HD Own<F> own(int i) const {
        return {i};
    }
    template <class F>
    PURL_HD void pair(const Own<F>& own, const Neighbor<F>& j, Sums<F>& sums) const {
        sums.rate = fma(j.ofPair(pairs), j.dotOfDifferences(points, points[own.i]), sums.rate);
    }
    PURL_HD float total(int i, const Sums<float>& sums) const {
        return dot(points[i].u, wallAt(wall, i).v) + sums.rate;
    }
};

}  // namespace purl
