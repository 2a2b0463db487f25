#include "solver/fluid/pressure/pbf.h"

#include <cmath>
#include <tuple>
#include <type_traits>

#include "solver/core/copy.h"
#include "solver/core/math.h"
#include "solver/core/traffic.h"

namespace purl {
namespace {

// In these three, the last index is the padding element's.
struct PackPoints {
    Span<const Vec3> x;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    Packed* points;
    PURL_HD void operator()(int i) const {
        points[i] = i < x.count ? Packed{x[i], fluids[body[i]].restVolume} : kFarAway;
    }
};
struct PackTraits {
    Span<const int> body;
    Span<const FluidConstants> fluids;
    PbfTraits* traits;
    PURL_HD void operator()(int i) const {
        traits[i] = {};
        if (i == body.count) return;
        const FluidConstants& fluid = fluids[body[i]];
        traits[i] = {fluid.restVolume, fluid.inverseMass, fluid.restDensity};
    }
};
struct Begin {
    PackPoints pack;
    Packed* next;
    Span<Vec3> moved;
    Span<float> impulse;
    PURL_HD void operator()(int i) const {
        pack(i);
        if (i == moved.count) {
            next[i] = kFarAway;
            return;
        }
        moved[i] = {};
        impulse[i] = 0;
    }
};

// ρ = ρ₀ δ at the current positions, and m/ρ.
struct Densities {
    CubicSpline W, wallW;
    Boundary::View boundary;
    bool hasBoundary;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    const Packed* points;  // x, V
    Span<float> density, volume;

    template <class F>
    struct Own {
        VecOf<F> x;
    };
    template <class F>
    struct Sums {
        F shape{0.0f};
    };
    template <class F>
    PURL_HD Own<F> own(int i) const {
        return {broadcast<F>(points[i].v)};
    }
    template <class F>
    PURL_HD void pair(const Own<F>& own, const Neighbor<F>& j, Sums<F>& sums) const {
        const Row<F> other = j.row(points);
        const VecOf<F> d = own.x - other.xyz();
        sums.shape = fma(other.w, W.shape(sqrt(dot(d, d))), sums.shape);
    }
    // Adds the boundary samples.
    PURL_HD void finish(int i, const Sums<float>& sums) const {
        const FluidConstants& fluid = fluids[body[i]];
        float delta = fluid.restVolume * W(0.0f) + W.value * sums.shape;
        if (hasBoundary)
            boundary.forEach(i, [&](Vec3 x, float wallVolume, Vec3, float) {
                delta += wallVolume * wallW(length(points[i].v - x));
            });
        density[i] = fluid.restDensity * delta;
        volume[i] = fluid.mass / density[i];
    }
};

// Pressures and velocity changes from the sums over all iterations.
struct Finish {
    float dt;
    Span<const Vec3> moved;
    Span<const float> impulse;
    Span<Vec3> v;
    Span<float> pressure;

    PURL_HD void operator()(int i) const {
        pressure[i] = impulse[i] / (dt * dt);
        v[i] += moved[i] / dt;
    }
};

// Decides after each iteration, from the sum of C, whether it was the last one.
struct JudgeError {
    PbfProgress* progress;
    int count;
    double tolerance;  // %
    PURL_HD void operator()(int) const {
        PbfProgress& now = *progress;
        if (now.done) return;
        now.error = 100 * now.sum / count;
        ++now.iterations;
        now.done = now.error <= tolerance;
    }
};

struct Element {
    Span<const float> values;
    PURL_HD double operator()(int i) const { return double(values[i]); }
};

// The denominator of eq. 11 for a particle in a lattice, times its rest density. Relaxation and artificial pressure are
// relative to it.
float restSteepness(const Materials& materials) {
    const FluidConstants& fluid = materials.fluids[0];
    double squares = 0;
    forEachSite(fluid.spacing, materials.spline.h, materials.dimensions, [&](double r) {
        const double f = fluid.restVolume * materials.spline.gradientFactor(static_cast<float>(r)) * r;
        squares += f * f;
    });
    return static_cast<float>(squares);
}

}  // namespace

Pbf::Pbf(const Device& device)
    : device_(device),
      points_(device, "pbf.points"),
      traits_(device, "pbf.traits"),
      moved_(device, "pbf.moved"),
      excess_(device, "pbf.excess"),
      impulse_(device, "pbf.impulse"),
      progress_(device, 1, "pbf.progress") {}

// Memory for two arrays of `count` points and a padding point each: the current and the next ones.
std::pair<Packed*, Packed*> Pbf::allocatePoints(int count) {
    static_assert(sizeof(Packed) == sizeof(Float4));
    points_.resizeDiscard(2 * (count + 1));
    auto* const points = reinterpret_cast<Packed*>(points_.data());
    return {points, points + count + 1};
}

void Pbf::packTraits(const Particles& particles, const Materials& materials) {
    traits_.resizeDiscard(materials.uniform ? 0 : particles.count() + 1);
    forEach(device_, "packTraits", traits_.size(),
            PackTraits{particles.body.span(), materials.fluids.span(), traits_.data()}, 2048);
}

// `points`: the packed positions.
void Pbf::computeDensities(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                           const Materials& materials, const Packed* points, Buffer<float>& volume) {
    const bool hasBoundary = boundary && !boundary->empty();
    expectTraffic(4.0 * neighbors.listSize() + (8 + 16 + 16.0) * particles.count());
    sweep(device_, "densities", particles.count(), neighbors.view(),
          Densities{materials.spline, materials.wallSpline, hasBoundary ? boundary->view() : Boundary::View{},
                    hasBoundary, particles.body.span(), materials.fluids.span(), points, particles.density.span(),
                    volume.span()});
}

void Pbf::measure(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                  const Materials& materials, Buffer<float>& volume) {
    Packed* const points = allocatePoints(particles.count()).first;
    volume.resizeDiscard(particles.count());
    forEach(device_, "packPoints", particles.count() + 1,
            PackPoints{std::as_const(particles.x).span(), particles.body.span(), materials.fluids.span(), points},
            2048);
    computeDensities(particles, neighbors, boundary, materials, points, volume);
}

PressureReport Pbf::solve(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                          const Materials& materials, const SolverParams& params, float dt,
                          const std::function<void()>& hold, Buffer<Vec3>& v, Buffer<float>& volume) {
    const int count = particles.count();
    Packed *points, *next;
    std::tie(points, next) = allocatePoints(count);
    packTraits(particles, materials);
    moved_.resizeDiscard(count);
    excess_.resizeDiscard(count);
    impulse_.resizeDiscard(count);
    volume.resizeDiscard(count);
    if (count == 0) return {};

    const bool hasBoundary = boundary && !boundary->empty();
    const Boundary::View boundaryView = hasBoundary ? boundary->view() : Boundary::View{};
    const Span<const int> body = particles.body.span();
    const Span<const FluidConstants> fluids = materials.fluids.span();
    const float steepness = restSteepness(materials);
    const CubicSpline &W = materials.spline, &wallW = materials.wallSpline;
    const PackPoints pack{std::as_const(particles.x).span(), body, fluids, points};
    forEach(device_, "beginMoves", count + 1, Begin{pack, next, moved_.span(), impulse_.span()}, 2048);
    const auto setCommon = [&](auto& kernel) {
        kernel.boundary = boundaryView;
        kernel.hasBoundary = hasBoundary;
        kernel.W = W;
        kernel.wallW = wallW;
        kernel.body = body;
        kernel.fluids = fluids;
        kernel.traits = traits_.data();
        kernel.points = points;
        kernel.next = next;
    };
    PbfProgress* const progress = progress_.data();
    const int* const done = &progress->done;
    const auto iterateOnce = [&](auto isSeveral) {
        Multipliers<isSeveral> multipliers;
        setCommon(multipliers);
        multipliers.relaxation = params.pbf.relaxation * steepness;
        multipliers.excess = excess_.span();
        expectTraffic(4.0 * neighbors.listSize() + (8 + 16 + 32 + 8.0) * count);
        sweepUnless(done, device_, "multipliers", count, neighbors.view(), multipliers);

        MovePoints<isSeveral> move;
        setCommon(move);
        move.artificial = params.pbf.artificialPressure / steepness;
        if (!isSeveral) move.artificial *= materials.fluids[0].restDensity;
        move.perShape = W.value / W(params.pbf.artificialPressureDistance * W.h);
        move.power = params.pbf.artificialPressurePower;
        move.wholePower = move.power == std::floor(move.power) ? static_cast<int>(move.power) : -1;
        move.x = particles.x.span();
        move.moved = moved_.span();
        move.impulse = impulse_.span();
        expectTraffic(4.0 * neighbors.listSize() + (8 + 16 + 32 + 24 + 24 + 8.0) * count);
        sweepUnless(done, device_, "movePoints", count, neighbors.view(), move);
    };
    setElements(progress_, 0, 1, PbfProgress{});
    const JudgeError judge{progress, count, double(params.maxDensityError)};
    // hold() would go on past the end.
    if (hold) expected_ = 1;
    const PbfProgress reached = iterate(progress_, params.pbf.iterations, expected_, [&] {
        materials.uniform ? iterateOnce(std::false_type()) : iterateOnce(std::true_type());
        if (hold) {
            hold();
            forEach(device_, "packPoints", count + 1, pack, 2048);
        }
        reduceTo(&progress->sum, device_, "densityError", count, 0.0, Element{std::as_const(excess_).span()}, Sum{});
        forEach(device_, "judgeError", 1, judge);
    });
    computeDensities(particles, neighbors, boundary, materials, points, volume);
    forEach(
        device_, "finishPositions", count,
        Finish{dt, std::as_const(moved_).span(), std::as_const(impulse_).span(), v.span(), particles.pressure.span()});
    return {reached.iterations, reached.error};
}

}  // namespace purl
