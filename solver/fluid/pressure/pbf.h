// Position-based fluids (Macklin and Müller 2013): predicted positions are corrected until the density constraint
// holds; velocities follow from the displacements. Per volume like dfsph: a multiplier Λ is −Δt² times a pressure.
#pragma once
#include <functional>
#include <utility>

#include "solver/core/math.h"
#include "solver/fluid/pressure/dfsph.h"
#include "solver/fluid/pressure/pressureSystem.h"

namespace purl {

// aᵖ, lane by lane
PURL_HD inline Lanes pow(Lanes a, float p) {
    float each[kLanes];
    store(a, each);
    for (float& one : each) one = pow(one, p);
    return load(each);
}

// Numbers of a particle's fluid, where fluids differ in rest density or spacing.
struct alignas(16) PbfTraits {
    float volume = 0, inverseMass = 0, restDensity = 0, unused = 0;  // m³, 1/kg, kg/m³
};

// C = max(0, δ − 1): clamped, so that particles with too few neighbours do not attract each other.
// Λ = −C / ( |S + B|² / ρ₀ᵢ + mᵢ/ρ₀ᵢ Σⱼ |Vⱼ ∇Wᵢⱼ|² / mⱼ + ε )   eq. 11, per volume
template <bool kSeveral>
struct Multipliers {
    Boundary::View boundary;
    bool hasBoundary;
    CubicSpline W, wallW;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    const PbfTraits* traits;  // if several
    float relaxation;         // ε ρ₀
    const Packed* points;     // x, V
    Packed* next;             // x, Λ
    Span<float> excess;       // C

    template <class F>
    struct Own {
        VecOf<F> x;
    };
    template <class F>
    using Sums = DensityGradientSums<F>;

    template <class F>
    PURL_HD Own<F> own(int i) const {
        return {broadcast<F>(points[i].v)};
    }
    template <class F>
    PURL_HD void pair(const Own<F>& own, const Neighbor<F>& j, Sums<F>& sums) const {
        const Row<F> other = j.row(points);
        const VecOf<F> d = own.x - other.xyz();
        if constexpr (kSeveral)
            sums.add(W, d, other.w, j.row(traits).y);
        else
            sums.add(W, d);
    }
    // Adds the boundary samples to the sums over fluid neighbours.
    PURL_HD void finish(int i, const Sums<float>& sums) const {
        const FluidConstants& fluid = fluids[body[i]];
        const Vec3 xi = points[i].v;
        DensityGradient gradient = gradientOf(sums, W, fluid, kSeveral);
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
template <bool kSeveral>
struct MovePoints {
    Boundary::View boundary;
    bool hasBoundary;
    CubicSpline W, wallW;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    const PbfTraits* traits;  // if several
    float artificial;         // k/ρ₀; times ρ₀ if all are equal
    float perShape;           // 1/W(Δq), for W without its constant factor
    float power;              // n
    int wholePower;           // n, or −1 if it is not a whole number
    const Packed* next;       // x, Λ
    Packed* points;           // x, V: moved
    Span<Vec3> x, moved;      // m; moved: over all iterations
    Span<float> impulse;      // −Σ Λ over all iterations

    template <class F>
    struct Own {
        VecOf<F> x;
        F multiplier, restDensity;
    };
    template <class F>
    struct Sums {
        VecOf<F> push;
    };
    template <class F>
    PURL_HD Own<F> own(int i) const {
        return {broadcast<F>(next[i].v), F(next[i].s), F(fluids[body[i]].restDensity)};
    }
    template <class F>
    PURL_HD void pair(const Own<F>& own, const Neighbor<F>& j, Sums<F>& sums) const {
        const Row<F> other = j.row(next);
        const VecOf<F> d = own.x - other.xyz();
        const F r = sqrt(dot(d, d));
        F push = own.multiplier + other.w, restDensity(1.0f), volume(1.0f);
        if constexpr (kSeveral) {
            const Row<F> trait = j.row(traits);
            restDensity = min(own.restDensity, trait.z);
            volume = trait.x;
        }
        if (artificial > 0) {
            const F share = F(perShape) * W.shape(r);
            F apart = F(artificial);
            if constexpr (kSeveral) apart = apart * restDensity;
            if (wholePower < 0) apart = apart * pow(share, power);
            for (int k = 0; k < wholePower; ++k) apart = apart * share;
            push = push - apart;
        }
        if constexpr (kSeveral) push = push * volume;
        sums.push = fma(push * W.slope(r), d, sums.push);
    }
    // Adds the boundary samples and moves the particle.
    PURL_HD void finish(int i, const Sums<float>& sums) const {
        const FluidConstants& fluid = fluids[body[i]];
        const Vec3 xi = next[i].v;
        const float own = next[i].s;
        Vec3 sum = (W.gradient * (kSeveral ? 1 : fluid.restVolume)) * vec3(sums.push);
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

// Of the iterations of pbf, on the device.
struct PbfProgress : IterationState {
    double sum = 0;    // of C
    double error = 0;  // %, see PressureReport
};

class Pbf {
  public:
    explicit Pbf(const Device& device = Device::cpu());

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
    std::pair<Packed*, Packed*> allocatePoints(int count);
    void packTraits(const Particles& particles, const Materials& materials);
    void computeDensities(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                          const Materials& materials, const Packed* points, Buffer<float>& volume);

    Device device_;
    Buffer<Float4> points_;  // two arrays of Packed; of this type so that lendTo can swap them
    Buffer<PbfTraits> traits_;
    Buffer<Vec3> moved_;
    Buffer<float> excess_, impulse_;
    Buffer<PbfProgress> progress_;
    int expected_ = 8;  // iterations
};

}  // namespace purl
