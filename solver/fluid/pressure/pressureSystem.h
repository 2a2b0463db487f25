// The linear system of pbf and dfsph: how pressures accelerate particles, and how accelerations change densities.
// Formulated per volume with the relative density δ = ρ/ρ₀, which is correct at the interface of fluids with different
// rest densities.
#pragma once
#include "solver/boundary/boundary.h"
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
    float always0 = 0;  // padding, so that one vector load reads the point
};

// Boundary terms of particle i; zero without boundary samples.
PURL_HD inline Packed wallAt(Span<const Packed> wall, int i) { return wall.count > 0 ? wall[i] : Packed{}; }

// The relative density of a particle and its gradients: the constraint of pbf, the diagonal of dfsph.
struct DensityGradient {
    float delta;        // δᵢ = Σⱼ Vⱼ Wᵢⱼ, i and boundary samples included
    float squares = 0;  // Σⱼ |Vⱼ ∇Wᵢⱼ|² / mⱼ over fluid neighbours
    Vec3 sum{};         // Σⱼ Vⱼ ∇Wᵢⱼ

    // Adds the fluid neighbour at xᵢ − d. Returns f with Vⱼ ∇Wᵢⱼ = f d.
    PURL_HD float addNeighbor(const CubicSpline& W, Vec3 d, float volume, float inverseMass) {
        const float r2 = dot(d, d), r = std::sqrt(r2);
        const float f = volume * W.gradientFactor(r);
        delta += volume * W(r);
        sum += f * d;
        squares += inverseMass * f * f * r2;
        return f;
    }
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

// Computes δ, the gradient factors of pairs and the diagonal of the system.
struct MeasureSystem {
    Neighbors::View neighbors;
    Boundary::View boundary;
    bool hasBoundary;
    CubicSpline W, wallW;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    Span<const PressurePoint> points;
    Span<float> pairs;  // fᵢⱼ with Vⱼ ∇Wᵢⱼ = fᵢⱼ (xᵢ − xⱼ), in the order of the neighbour lists
    Span<Packed> wall;  // B = Σ V ∇W over boundary samples, and Σ V v·∇W of their velocities
    Span<float> delta, diagonal;  // δ, and D below
    Span<float> density, volume;  // kg/m³; m³, m/ρ

    PURL_HD void operator()(int i) const {
        const FluidConstants& fluid = fluids[body[i]];
        const Vec3 xi = points[i].x;
        DensityGradient gradient{fluid.restVolume * W(0)};
        const int* const list = neighbors.begin(i);
        float* const factors = pairs.data + (list - neighbors.indices);
        for (int n = 0, count = neighbors.count(i); n < count; ++n) {
            const int j = list[n];
            factors[n] = gradient.addNeighbor(W, xi - points[j].x, points[j].p, fluids[body[j]].inverseMass);
        }
        for (int n = neighbors.count(i); n < neighbors.paddedCount(i); ++n) factors[n] = 0;
        finish(i, gradient);
    }

    // Longest displacement per step that an excess of δ at boundaries may cause, in spacings.
    static constexpr float kMaxDisplacement = 0.1f;

    // Adds the boundary samples to the sums over fluid neighbours.
    PURL_HD void finish(int i, DensityGradient gradient) const {
        const FluidConstants& fluid = fluids[body[i]];
        const Vec3 xi = points[i].x;
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
    Neighbors::View neighbors;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    Span<PressurePoint> points;  // u: written
    Span<const float> pairs;
    Span<const Packed> wall;

    PURL_HD void operator()(int i) const {
        const Vec3 xi = points[i].x;
        const float pi = points[i].p;
        Vec3 sum;
        const int* const list = neighbors.begin(i);
        const float* const factors = pairs.data + (list - neighbors.indices);
        for (int n = 0, count = neighbors.count(i); n < count; ++n) {
            const PressurePoint& other = points[list[n]];
            sum += (factors[n] * (pi + other.p)) * (xi - other.x);
        }
        finish(i, sum);
    }
    PURL_HD void finish(int i, Vec3 sum) const {
        points[i].u = -fluids[body[i]].inverseRestDensity * (sum + points[i].p * wallAt(wall, i).v);
    }
};

// Compression rate dδ/dt = Σⱼ Vⱼ (uᵢ − uⱼ)·∇Wᵢⱼ + uᵢ·B of a velocity field u, without the part of the boundaries' own
// velocity.
struct CompressionRate {
    Neighbors::View neighbors;
    Span<const PressurePoint> points;
    Span<const float> pairs;
    Span<const Packed> wall;

    PURL_HD float operator()(int i) const {
        const Vec3 xi = points[i].x, ui = points[i].u;
        float sum = dot(ui, wallAt(wall, i).v);
        const int* const list = neighbors.begin(i);
        const float* const factors = pairs.data + (list - neighbors.indices);
        for (int n = 0, count = neighbors.count(i); n < count; ++n) {
            const PressurePoint& other = points[list[n]];
            sum += factors[n] * dot(ui - other.u, xi - other.x);
        }
        return sum;
    }
};

}  // namespace purl
