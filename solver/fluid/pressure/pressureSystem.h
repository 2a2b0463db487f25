// The linear system behind pbf and dfsph: how pressures accelerate particles, and how accelerations change densities.
// All in volumes, so that fluids of unlike rest density meet as they should: δ = ρ/ρ₀ is a particle's relative density.
#pragma once
#include "solver/boundary/boundary.h"
#include "solver/fluid/material.h"
#include "solver/particles.h"
#include "solver/search/neighbors.h"

namespace purl {

// A vector and a number in one aligned load: what neighbours are asked for over and over.
struct alignas(16) Packed {
    Vec3 v;
    float s = 0;
};

// What dfsph asks of a neighbour, in one line of the cache.
struct alignas(32) PressurePoint {
    Vec3 x;             // m
    float p = 0;        // Pa; while the system is measured V, m³
    Vec3 u;             // m/s or m/s²
    float always0 = 0;  // so that all eight numbers may be read at once
};

// What boundaries add; zero where there are none.
PURL_HD inline Packed wallAt(Span<const Packed> wall, int i) { return wall.count > 0 ? wall[i] : Packed{}; }

// δ, the pairs' gradient factors and the system's diagonal, where the particles stand.
struct MeasureSystem {
    Neighbors::View neighbors;
    Boundary::View boundary;
    bool hasBoundary;
    CubicSpline W, wallW;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    Span<const PressurePoint> points;
    Span<float> pairs;            // fᵢⱼ with Vⱼ ∇Wᵢⱼ = fᵢⱼ (xᵢ − xⱼ), as neighbours are listed
    Span<Packed> wall;            // B = Σ V ∇W over boundary samples, and Σ V v·∇W of their velocities
    Span<float> delta, diagonal;  // δ, and D below
    Span<float> density, volume;  // kg/m³; m³, m/ρ

    PURL_HD void operator()(int i) const {
        const FluidConstants& fluid = fluids[body[i]];
        const Vec3 xi = points[i].x;
        // δᵢ = Σⱼ Vⱼ Wᵢⱼ, i and boundaries included
        float sum = fluid.restVolume * W(0), squares = 0;
        Vec3 fluidSum;
        const int* const list = neighbors.begin(i);
        float* const factors = pairs.data + (list - neighbors.indices);
        for (int n = 0, count = neighbors.count(i); n < count; ++n) {
            const int j = list[n];
            const Vec3 d = xi - points[j].x;
            const float r2 = dot(d, d), r = std::sqrt(r2), volume = points[j].p;
            const float f = volume * W.gradientFactor(r);
            factors[n] = f;
            sum += volume * W(r);
            fluidSum += f * d;
            squares += fluids[body[j]].inverseMass * f * f * r2;
        }
        for (int n = neighbors.count(i); n < neighbors.paddedCount(i); ++n) factors[n] = 0;
        finish(i, sum, squares, fluidSum);
    }

    // Farthest that the excess of δ at boundaries asks a particle to move in one step, spacings.
    static constexpr float kFarthest = 0.1f;

    // Adds what boundaries add. `squares` is Σⱼ |Vⱼ ∇Wᵢⱼ|² / mⱼ, `fluidSum` is S = Σⱼ Vⱼ ∇Wᵢⱼ.
    PURL_HD void finish(int i, float sum, float squares, Vec3 fluidSum) const {
        const FluidConstants& fluid = fluids[body[i]];
        const Vec3 xi = points[i].x;
        const float alone = sum;
        Packed seen;
        if (hasBoundary)
            boundary.forEach(i, [&](Vec3 x, float volume, Vec3 v, float) {
                const Vec3 d = xi - x;
                const float r = length(d);
                const Vec3 gradient = (volume * wallW.gradientFactor(r)) * d;
                sum += volume * wallW(r);
                seen.v += gradient;
                seen.s += dot(v, gradient);
            });
        if (wall.count > 0) wall[i] = seen;
        // |∇δ|², over the motion of i and of its neighbours
        const float slope2 = lengthSquared(fluidSum + seen.v) + fluid.mass * squares;
        // Walls close together (a fold of cloth, cloth on a floor) add more than all the space there is, while their
        // gradients cancel: undone at once, the excess would move the particle by δ / |∇δ|, many spacings.
        //     δ − 1 ≤ kFarthest s |∇δ|
        if (hasBoundary) sum = std::fmin(sum, std::fmax(alone, 1 + kFarthest * fluid.spacing * std::sqrt(slope2)));
        delta[i] = sum;
        density[i] = fluid.restDensity * sum;
        volume[i] = fluid.mass / density[i];
        // What one pascal at i takes from its own dδ²/dt²:
        // D = |S + B|² / ρ₀ᵢ + mᵢ/ρ₀ᵢ Σⱼ |Vⱼ ∇Wᵢⱼ|² / mⱼ   Bender and Koschier 2015, eq. 9, without its Δt²
        diagonal[i] = fluid.inverseRestDensity * slope2;
    }
};

// a = −1/ρ₀ᵢ ( Σⱼ (pᵢ + pⱼ) Vⱼ ∇Wᵢⱼ + pᵢ B ): what derives from δ, so that pressures alone add no energy
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

// dδ/dt = Σⱼ Vⱼ (uᵢ − uⱼ)·∇Wᵢⱼ + uᵢ·B, less what the boundaries' own motion adds: how fast u compresses.
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
