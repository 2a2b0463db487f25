#include "solver/fluid/pressure/dfsph.h"

#include <algorithm>

#include "solver/core/copy.h"
#include "solver/core/traffic.h"

namespace purl {
namespace {

// The last index is the padding element's.
struct PackVolumes {
    Span<const Vec3> x;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    PressurePoint* points;
    Span<float> inverseMass;  // empty if all are equal
    PURL_HD void operator()(int i) const {
        const bool isParticle = i < x.count;
        points[i] = isParticle ? PressurePoint{x[i], fluids[body[i]].restVolume, {}} : PressurePoint{kFar, 0, {}};
        if (inverseMass.count) inverseMass[i] = isParticle ? fluids[body[i]].inverseMass : 0;
    }
};

struct PackVelocities {
    Span<const Vec3> x, v;
    PressurePoint* points;
    PURL_HD void operator()(int i) const {
        points[i] = i < x.count ? PressurePoint{x[i], 0, v[i]} : PressurePoint{kFar, 0, {}};
    }
};

// δ below which the divergence solver skips a particle: splashes and drops have too few neighbours to distinguish
// compression from free flight.
constexpr float kMinRelativeDensity = 0.75f;

// Source term: the compression by v in one step; for the density solver, on top of the current excess of δ. The
// pressures of the last step are the first guess.
struct FirstGuess : CompressionRate {
    bool densityToo;
    float dt;
    Span<const float> delta, pressure;
    Span<float> source;

    PURL_HD void finish(int i, const Sums<float>& sums) const {
        const float compression = dt * (total(i, sums) - wallAt(wall, i).s);
        source[i] = densityToo ? delta[i] + compression - 1 : delta[i] < kMinRelativeDensity ? -1 : compression;
        points[i].p = pressure[i];
    }
};

// pᵢ′ = max(0, yᵢ + ω (source + Δt² dδ²/dt²) / (Δt² D)),   yᵢ′ = max(0, pᵢ′ + β (pᵢ′ − pᵢ))
// Jacobi iteration with Nesterov acceleration: 20 to 30 iterations where a plain one takes a hundred.
struct Relax : CompressionRate {
    float dt2;
    const DfsphProgress* progress;
    Span<const float> source, diagonal;
    Span<float> excess, last;  // last: p, in the channel that warm-starts the next step; y is the points' p

    static constexpr float kOmega = 0.5f;  // under-relaxation, without which Jacobi iterations diverge

    // The error of δ before the update: compression, or expansion that pressure causes. If expansion did not count, the
    // iteration would stop at pressures that are too high, and a tank at rest would heave.
    PURL_HD void finish(int i, const Sums<float>& sums) const {
        const float left = source[i] + dt2 * total(i, sums), scale = dt2 * diagonal[i];
        const bool pressed = points[i].p > 0;
        const float moved = scale > 0 ? points[i].p + kOmega * left / scale : 0, p = moved > 0 ? moved : 0;
        const float y = p + progress->momentum * (p - last[i]);
        last[i] = p;
        points[i].p = y > 0 ? y : 0;
        excess[i] = left > 0 ? left : pressed ? -left : 0;
    }
};

// Decides after each iteration, from the sum of the errors of δ, whether it was the last one.
struct JudgeError {
    DfsphProgress* progress;
    int count, fewest, most;
    double tolerance;  // %
    PURL_HD void operator()(int) const {
        DfsphProgress& now = *progress;
        if (now.done) return;
        const double error = 100 * now.sum / count;
        // The error grew: restart the acceleration from here.
        now.sinceRestart = now.iterations > 0 && error > now.error ? 0 : now.sinceRestart + 1;
        now.momentum = static_cast<float>(now.sinceRestart) / static_cast<float>(now.sinceRestart + 3);
        now.error = error;
        ++now.iterations;
        now.done = (now.iterations >= fewest && error <= tolerance) || now.iterations >= most;
    }
};

struct Accelerate {
    float dt;
    Span<const PressurePoint> points;
    Span<Vec3> v;
    Span<float> pressure;
    PURL_HD void operator()(int i) const {
        v[i] += dt * points[i].u;
        pressure[i] = points[i].p;
    }
};

struct Element {
    Span<const float> values;
    PURL_HD double operator()(int i) const { return double(values[i]); }
};

}  // namespace

Dfsph::Dfsph(const Device& device)
    : device_(device),
      points_(device, "dfsph.points"),
      wall_(device, "dfsph.wall"),
      pairs_(device, "dfsph.pairs"),
      delta_(device, "dfsph.delta"),
      diagonal_(device, "dfsph.diagonal"),
      inverseMass_(device, "dfsph.inverseMass"),
      source_(device, "dfsph.source"),
      excess_(device, "dfsph.excess"),
      progress_(device, 1, "dfsph.progress") {}

void Dfsph::measure(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                    const Materials& materials, Buffer<float>& volume) {
    const int count = particles.count();
    const Span<const int> body = std::as_const(particles.body).span();
    const Span<const FluidConstants> fluids = materials.fluids.span();
    PressurePoint* const points = allocatePoints(count);
    const bool hasBoundary = boundary && !boundary->empty();
    wall_.resizeDiscard(hasBoundary ? count : 0);
    delta_.resizeDiscard(count);
    diagonal_.resizeDiscard(count);
    source_.resizeDiscard(count);
    excess_.resizeDiscard(count);
    volume.resizeDiscard(count);
    pairs_.resizeDiscard(neighbors.listSize());
    inverseMass_.resizeDiscard(materials.uniform ? 0 : count + 1);
    const double listed = pairs_.size();
    expectTraffic((16.0 + 64) * count);
    forEach(device_, "packVolumes", count + 1,
            PackVolumes{std::as_const(particles.x).span(), body, fluids, points, inverseMass_.span()}, 2048);
    const auto run = [&](auto measure) {
        measure.hasBoundary = hasBoundary;
        measure.boundary = hasBoundary ? boundary->view() : Boundary::View{};
        measure.W = materials.spline;
        measure.wallW = materials.wallSpline;
        measure.body = body;
        measure.fluids = fluids;
        measure.points = points;
        measure.inverseMass = inverseMass_.data();
        measure.factor = materials.spline.gradient;
        if (materials.uniform && count > 0) measure.factor *= materials.fluids[0].restVolume;
        measure.pairs = pairs_.data();
        measure.wall = wall_.span();
        measure.delta = delta_.span();
        measure.diagonal = diagonal_.span();
        measure.density = particles.density.span();
        measure.volume = volume.span();
        // Lists are read and factors written; starts, counts and points read, four numbers written.
        expectTraffic((4 + 8) * listed + (8 + 32 + 32.0) * count);
        sweep(device_, "measureSystem", count, neighbors.view(), measure);
    };
    if (materials.uniform)
        run(MeasureSystem<false>());
    else
        run(MeasureSystem<true>());
}

// Memory for `count` points and the padding point.
PressurePoint* Dfsph::allocatePoints(int count) {
    static_assert(sizeof(PressurePoint) == 2 * sizeof(Float4));
    points_.resizeDiscard(2 * (count + 1));
    return reinterpret_cast<PressurePoint*>(points_.data());
}

PressureReport Dfsph::solveDivergence(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                                      const SolverParams& params, float dt, Buffer<Vec3>& v) {
    return solve(Aim::divergence, particles.divergencePressure, particles, neighbors, materials, params, dt, v);
}

PressureReport Dfsph::solveDensity(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                                   const SolverParams& params, float dt, Buffer<Vec3>& v) {
    return solve(Aim::density, particles.pressure, particles, neighbors, materials, params, dt, v);
}

PressureReport Dfsph::solve(Aim aim, Buffer<float>& pressure, const Particles& particles, const Neighbors& neighbors,
                            const Materials& materials, const SolverParams& params, float dt, Buffer<Vec3>& v) {
    const int count = particles.count();
    const bool densityToo = aim == Aim::density;
    const double tolerance = densityToo ? double(params.maxDensityError) : double(params.dfsph.maxDivergenceError);
    PressurePoint* const points = allocatePoints(count);
    const CompressionRate rate{points, pairs_.data(), std::as_const(wall_).span()};
    const double listed = pairs_.size();
    if (count == 0) return {};
    DfsphProgress* const progress = progress_.data();
    const int* const done = &progress->done;
    // Lists and factors, starts and counts; points and three numbers, some of which are written.
    const auto expectRateTraffic = [&] { expectTraffic((4 + 4) * listed + (8 + 64 + 20.0) * count); };
    const PressureAcceleration acceleration{particles.body.span(), materials.fluids.span(), points, pairs_.data(),
                                            std::as_const(wall_).span()};
    const auto expectAccelerationTraffic = [&] { expectTraffic((4 + 4) * listed + (8 + 64.0) * count); };

    expectTraffic((24.0 + 64) * count);
    forEach(device_, "packVelocities", count + 1,
            PackVelocities{std::as_const(particles.x).span(), std::as_const(v).span(), points}, 2048);
    expectRateTraffic();
    sweep(
        device_, "firstGuess", count, neighbors.view(),
        FirstGuess{rate, densityToo, dt, std::as_const(delta_).span(), std::as_const(pressure).span(), source_.span()});
    setElements(progress_, 0, 1, DfsphProgress{});
    const Relax relax{
        rate,           dt * dt,        progress, std::as_const(source_).span(), std::as_const(diagonal_).span(),
        excess_.span(), pressure.span()};
    const int fewest = densityToo ? std::max(1, params.dfsph.minIterations) : 1, most = params.dfsph.maxIterations;
    const JudgeError judge{progress, count, fewest, most, tolerance};
    const DfsphProgress reached = iterate(progress_, most, expected_[static_cast<int>(aim)], [&] {
        expectAccelerationTraffic();
        sweepUnless(done, device_, "pressureAcceleration", count, neighbors.view(), acceleration);
        expectRateTraffic();
        sweepUnless(done, device_, "relax", count, neighbors.view(), relax);
        reduceTo(&progress->sum, device_, "densityError", count, 0.0, Element{std::as_const(excess_).span()}, Sum{});
        forEach(device_, "judgeError", 1, judge);
    });
    // By the final pressures, which also determine the reaction on bodies.
    expectAccelerationTraffic();
    sweep(device_, "pressureAcceleration", count, neighbors.view(), acceleration);
    expectTraffic((32 + 24 + 8.0) * count);
    forEach(device_, "accelerate", count, Accelerate{dt, {points, count}, v.span(), pressure.span()});
    return {reached.iterations, reached.error};
}

}  // namespace purl
