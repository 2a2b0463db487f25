#include "solver/fluid/pressure/pbf.h"

#include <cmath>

#include "solver/core/forEach.h"
#include "solver/core/traffic.h"
#include "solver/fluid/pressure/pressureLanes.h"

namespace purl {
namespace {

struct PackPoints {
    Span<const Vec3> x;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    Span<Packed> points;
    PURL_HD void operator()(int i) const { points[i] = {x[i], fluids[body[i]].restVolume}; }
};

struct Begin {
    PackPoints pack;
    Span<Vec3> moved;
    Span<float> impulse;
    PURL_HD void operator()(int i) const {
        pack(i);
        moved[i] = {};
        impulse[i] = 0;
    }
};

// ρ = ρ₀ δ at the current positions, and m/ρ.
struct Densities {
    CubicSpline W, wallW;
    Neighbors::View neighbors;
    Boundary::View boundary;
    bool hasBoundary;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    Span<float> density, volume;

    PURL_HD void operator()(int i) const {
        float delta = fluids[body[i]].restVolume * W(0);
        neighbors.forEach(i, [&](int j, Vec3, float r2) { delta += fluids[body[j]].restVolume * W(std::sqrt(r2)); });
        finish(i, delta);
    }

    // Adds the boundary samples.
    PURL_HD void finish(int i, float delta) const {
        const FluidConstants& fluid = fluids[body[i]];
        if (hasBoundary)
            boundary.forEach(i, [&](Vec3 x, float wallVolume, Vec3, float) {
                delta += wallVolume * wallW(length(neighbors.x[i] - x));
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

#ifdef __AVX2__

// Multipliers for fluids of equal rest density and spacing, eight neighbours at a time.
struct MultipliersLanes {
    const Multipliers& plain;

    void operator()(int i) const {
        const FluidConstants& fluid = plain.fluids[0];
        const Packed* const points = plain.points.data;
        const Vec3 xi = points[i].v;
        DensityGradientLanes gradient;
        const int* const list = plain.neighbors.begin(i);
        for (int n = 0, count = plain.neighbors.count(i); n < count; n += Neighbors::kLanes) {
            const LaneOffsets d(xi, loadLanes(points, list + n));
            const __m256 r2 = d.lengthSquared();
            const SplineLanes W(plain.W, r2);
            gradient.add(W, d, r2, W.gradientFactor());
        }
        const float slope = fluid.restVolume * plain.W.gradient;
        plain.finish(i,
                     {gradient.delta(plain.W, fluid), fluid.inverseMass * slope * slope * sumOfLanes(gradient.squares),
                      slope * gradient.sum.total()});
    }
};

// MovePoints likewise, for integer powers.
struct MovePointsLanes {
    const MovePoints& plain;

    void operator()(int i) const {
        const Packed* const points = plain.next.data;
        const Vec3 xi = points[i].v;
        const __m256 own = _mm256_set1_ps(points[i].s), perW = _mm256_set1_ps(plain.perW * plain.W.value);
        const int power = plain.artificial > 0 ? static_cast<int>(plain.power) : 0;
        LaneSum3 sum;
        const int* const list = plain.neighbors.begin(i);
        for (int n = 0, count = plain.neighbors.count(i); n < count; n += Neighbors::kLanes) {
            const Lanes4 other = loadLanes(points, list + n);
            const LaneOffsets d(xi, other);
            const SplineLanes W(plain.W, d.lengthSquared());
            const __m256 share = _mm256_mul_ps(perW, W.value());
            __m256 apart = _mm256_set1_ps(plain.artificial * plain.fluids[0].restDensity);
            for (int k = 0; k < power; ++k) apart = _mm256_mul_ps(apart, share);
            const __m256 push = _mm256_sub_ps(_mm256_add_ps(own, other.w), apart);
            sum.add(_mm256_mul_ps(push, W.gradientFactor()), d.x, d.y, d.z);
        }
        plain.finish(i, (plain.fluids[0].restVolume * plain.W.gradient) * sum.total());
    }
};

// Densities likewise.
struct DensitiesLanes {
    const Densities& plain;
    const Packed* points;

    void operator()(int i) const {
        __m256 values = _mm256_setzero_ps();
        const int* const list = plain.neighbors.begin(i);
        for (int n = 0, count = plain.neighbors.count(i); n < count; n += Neighbors::kLanes) {
            const LaneOffsets d(points[i].v, loadLanes(points, list + n));
            values = _mm256_add_ps(values, SplineLanes(plain.W, d.lengthSquared()).value());
        }
        plain.finish(i, plain.fluids[0].restVolume * (plain.W(0) + plain.W.value * sumOfLanes(values)));
    }
};

#endif

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

Pbf::Pbf(const Device& device, bool tuned)
    : device_(device),
      tuned_(tuned && device.isCpu()),
      points_(device, "pbf.points"),
      moved_(device, "pbf.moved"),
      excess_(device, "pbf.excess"),
      impulse_(device, "pbf.impulse") {}

// Memory for two arrays of `count` points and a padding point each: the current and the next ones.
std::pair<Span<Packed>, Span<Packed>> Pbf::allocatePoints(int count) {
    static_assert(sizeof(Packed) == sizeof(Float4));
    points_.resizeDiscard(2 * (count + 1));
    auto *const points = reinterpret_cast<Packed*>(points_.data()), *const next = points + count + 1;
    for (const int padding : {count, 2 * count + 1})
        setElements(points_, padding, 1, Float4{kFar.x, kFar.y, kFar.z, 0});
    return {{points, count}, {next, count}};
}

// `points`: the packed positions.
void Pbf::computeDensities(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                           const Materials& materials, [[maybe_unused]] const Packed* points, Buffer<float>& volume) {
    const bool hasBoundary = boundary && !boundary->empty();
    const Densities densities{materials.spline,
                              materials.wallSpline,
                              neighbors.view(),
                              hasBoundary ? boundary->view() : Boundary::View{},
                              hasBoundary,
                              particles.body.span(),
                              materials.fluids.span(),
                              particles.density.span(),
                              volume.span()};
    expectTraffic(4.0 * neighbors.listSize() + (8 + 16 + 16.0) * particles.count());
#ifdef __AVX2__
    if (tuned_ && materials.uniform)
        return forEachOnCpu(device_, "densities", particles.count(), DensitiesLanes{densities, points});
#endif
    forEach(device_, "densities", particles.count(), densities);
}

void Pbf::measure(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                  const Materials& materials, Buffer<float>& volume) {
    const Span<Packed> points = allocatePoints(particles.count()).first;
    volume.resizeDiscard(particles.count());
    forEach(device_, "packPoints", particles.count(),
            PackPoints{std::as_const(particles.x).span(), particles.body.span(), materials.fluids.span(), points});
    computeDensities(particles, neighbors, boundary, materials, points.data, volume);
}

PressureReport Pbf::solve(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                          const Materials& materials, const SolverParams& params, float dt,
                          const std::function<void()>& hold, Buffer<Vec3>& v, Buffer<float>& volume) {
    const int count = particles.count();
    const auto [points, next] = allocatePoints(count);
    moved_.resizeDiscard(count);
    excess_.resizeDiscard(count);
    impulse_.resizeDiscard(count);
    volume.resizeDiscard(count);
    PressureReport report;
    if (count == 0) return report;

    const bool hasBoundary = boundary && !boundary->empty();
    const Boundary::View boundaryView = hasBoundary ? boundary->view() : Boundary::View{};
    const Span<const int> body = particles.body.span();
    const Span<const FluidConstants> fluids = materials.fluids.span();
    const float steepness = restSteepness(materials);
    const CubicSpline &W = materials.spline, &wallW = materials.wallSpline;
    const PackPoints pack{std::as_const(particles.x).span(), body, fluids, points};
    const Multipliers multipliers{
        neighbors.view(), boundaryView, hasBoundary,   W, wallW, body, fluids, params.pbf.relaxation * steepness,
        points,           next,         excess_.span()};
    const MovePoints movePoints{neighbors.view(),
                                boundaryView,
                                hasBoundary,
                                W,
                                wallW,
                                body,
                                fluids,
                                params.pbf.artificialPressure / steepness,
                                1 / W(params.pbf.artificialPressureDistance * W.h),
                                params.pbf.artificialPressurePower,
                                next,
                                points,
                                particles.x.span(),
                                moved_.span(),
                                impulse_.span()};
    [[maybe_unused]] const bool tuned =
        tuned_ && materials.uniform &&
        params.pbf.artificialPressurePower == std::floor(params.pbf.artificialPressurePower);
    forEach(device_, "beginMoves", count, Begin{pack, moved_.span(), impulse_.span()});
    while (report.iterations < params.pbf.iterations) {
#ifdef __AVX2__
        if (tuned) {
            expectTraffic(4.0 * neighbors.listSize() + (8 + 16 + 32 + 8.0) * count);
            forEachOnCpu(device_, "multipliers", count, MultipliersLanes{multipliers});
            expectTraffic(4.0 * neighbors.listSize() + (8 + 16 + 32 + 24 + 24 + 8.0) * count);
            forEachOnCpu(device_, "movePoints", count, MovePointsLanes{movePoints});
        } else
#endif
        {
            forEach(device_, "multipliers", count, multipliers);
            forEach(device_, "movePoints", count, movePoints);
        }
        if (hold) {
            hold();
            forEach(device_, "packPoints", count, pack);
        }
        const double sum = reduce(device_, "densityError", count, 0.0, Element{std::as_const(excess_).span()}, Sum{});
        report.error = 100 * sum / count;
        ++report.iterations;
        if (report.error <= double(params.maxDensityError)) break;
    }
    computeDensities(particles, neighbors, boundary, materials, points.data, volume);
    forEach(
        device_, "finishPositions", count,
        Finish{dt, std::as_const(moved_).span(), std::as_const(impulse_).span(), v.span(), particles.pressure.span()});
    return report;
}

}  // namespace purl
