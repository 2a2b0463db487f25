// Position-based fluids (Macklin and Müller 2013): predicted positions are corrected until the density constraint
// holds; velocities follow from the displacements. Per volume like dfsph: a multiplier Λ is −Δt² times a pressure.
#pragma once
#include <functional>
#include <utility>

#include "solver/core/math.h"
#include "solver/fluid/pressure/dfsph.h"
#include "solver/fluid/pressure/pressureSystem.h"

namespace purl {

// C = max(0, δ − 1): clamped, so that particles with too few neighbours do not attract each other.
// Λ = −C / ( |S + B|² / ρ₀ᵢ + mᵢ/ρ₀ᵢ Σⱼ |Vⱼ ∇Wᵢⱼ|² / mⱼ + ε )   eq. 11, per volume
struct Multipliers {
    Neighbors::View neighbors;
    Boundary::View boundary;
    bool hasBoundary;
    CubicSpline W, wallW;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    float relaxation;           // ε ρ₀
    Span<const Packed> points;  // x, V
    Span<Packed> next;          // x, Λ
    Span<float> excess;         // C

    PURL_HD void operator()(int i) const {
        const FluidConstants& fluid = fluids[body[i]];
        const Vec3 xi = points[i].v;
        DensityGradient gradient{fluid.restVolume * W(0)};
        const int* const list = neighbors.begin(i);
        for (int n = 0, count = neighbors.count(i); n < count; ++n) {
            const int j = list[n];
            gradient.addNeighbor(W, xi - points[j].v, points[j].s, fluids[body[j]].inverseMass);
        }
        finish(i, gradient);
    }

    // Adds the boundary samples to the sums over fluid neighbours.
    PURL_HD void finish(int i, DensityGradient gradient) const {
        const FluidConstants& fluid = fluids[body[i]];
        const Vec3 xi = points[i].v;
        if (hasBoundary)
            boundary.forEach(i, [&](Vec3 x, float volume, Vec3, float) {
                gradient.sum += gradient.addSample(wallW, xi - x, volume);
            });
        const float c = gradient.delta > 1 ? gradient.delta - 1 : 0;
        const float steepness = fluid.inverseRestDensity * gradient.slopeSquared(fluid.mass);
        excess[i] = c;
        next[i] = {xi, -c / (steepness + relaxation * fluid.inverseRestDensity)};
    }
};

// Δx = 1/ρ₀ᵢ ( Σⱼ (Λᵢ + Λⱼ + s) Vⱼ ∇Wᵢⱼ + Λᵢ B ),   s = −k (W / W(Δq))ⁿ   eq. 12 to 14
// Between two fluids k is that of the lighter one, which moves most.
struct MovePoints {
    Neighbors::View neighbors;
    Boundary::View boundary;
    bool hasBoundary;
    CubicSpline W, wallW;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    float artificial;         // k/ρ₀
    float perW, power;        // 1/W(Δq), n
    Span<const Packed> next;  // x, Λ
    Span<Packed> points;      // x, V: moved
    Span<Vec3> x, moved;      // m; moved: over all iterations
    Span<float> impulse;      // −Σ Λ over all iterations

    PURL_HD void operator()(int i) const {
        const Vec3 xi = next[i].v;
        const float own = next[i].s, density = fluids[body[i]].restDensity;
        Vec3 sum;
        const int* const list = neighbors.begin(i);
        for (int n = 0, count = neighbors.count(i); n < count; ++n) {
            const int j = list[n];
            const Vec3 d = xi - next[j].v;
            const float r = length(d);
            const FluidConstants& other = fluids[body[j]];
            const float lighter = other.restDensity < density ? other.restDensity : density;
            const float apart = artificial > 0 ? artificial * lighter * pow(perW * W(r), power) : 0;
            sum += ((own + next[j].s - apart) * other.restVolume * W.gradientFactor(r)) * d;
        }
        finish(i, sum);
    }

    // Adds the boundary samples and moves the particle.
    PURL_HD void finish(int i, Vec3 sum) const {
        const FluidConstants& fluid = fluids[body[i]];
        const Vec3 xi = next[i].v;
        const float own = next[i].s;
        if (hasBoundary && own != 0)
            boundary.forEach(i, [&](Vec3 x, float volume, Vec3, float) {
                const Vec3 d = xi - x;
                sum += (own * volume * wallW.gradientFactor(length(d))) * d;
            });
        const Vec3 move = fluid.inverseRestDensity * sum;
        points[i].v = x[i] = xi + move;
        moved[i] += move;
        impulse[i] -= own;
    }
};

class Pbf {
  public:
    // `tuned`: on a CPU, use AVX2 loops instead of the plain kernels.
    explicit Pbf(const Device& device = Device::cpu(), bool tuned = true);

    // Corrects predicted positions and adds the displacement over dt to v, m/s; writes densities, pressures (−Λ/Δt²),
    // and m/ρ into `volume`. `hold` is called after each iteration and may move particles and change v, for example by
    // contacts; it may be empty.
    PressureReport solve(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                         const Materials& materials, const SolverParams& params, float dt,
                         const std::function<void()>& hold, Buffer<Vec3>& v, Buffer<float>& volume);

    // Writes the densities at the current positions, and m/ρ into `volume`.
    void measure(Particles& particles, const Neighbors& neighbors, const Boundary* boundary, const Materials& materials,
                 Buffer<float>& volume);

    // Swaps the point buffer, which is unused outside measure and solve; see Dfsph::lendTo.
    void lendTo(LaneMemory& lanes) { points_.swap(lanes.points); }

  private:
    std::pair<Span<Packed>, Span<Packed>> allocatePoints(int count);
    void computeDensities(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                          const Materials& materials, const Packed* points, Buffer<float>& volume);

    Device device_;
    [[maybe_unused]] bool tuned_;
    Buffer<Float4> points_;  // two arrays of Packed; of this type so that lendTo can swap them
    Buffer<Vec3> moved_;
    Buffer<float> excess_, impulse_;
};

}  // namespace purl
