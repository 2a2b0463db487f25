#include "solver/fluid/pressure/dfsph.h"

#include <algorithm>

#include "solver/core/forEach.h"
#include "solver/core/traffic.h"
#include "solver/fluid/pressure/pressureLanes.h"

namespace purl {
namespace {

struct PackVolumes {
    Span<const Vec3> x;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    Span<PressurePoint> points;
    PURL_HD void operator()(int i) const { points[i] = {x[i], fluids[body[i]].restVolume, {}}; }
};

struct PackVelocities {
    Span<const Vec3> x, v;
    Span<PressurePoint> points;
    PURL_HD void operator()(int i) const { points[i] = {x[i], 0, v[i]}; }
};

// δ below which the divergence solver skips a particle: splashes and drops have too few neighbours to distinguish
// compression from free flight.
constexpr float kMinRelativeDensity = 0.75f;

// Source term: the compression by v in one step; for the density solver, on top of the current excess of δ. The
// pressures of the last step are the first guess.
struct FirstGuess {
    CompressionRate rate;
    Span<const Packed> wall;
    bool densityToo;
    float dt;
    Span<const float> delta, pressure;
    Span<float> source, excess;
    Span<PressurePoint> points;

    PURL_HD void operator()(int i) const { excess[i] = conclude(i, rate(i)); }

    // Returns the excess of δ without any pressure.
    PURL_HD float conclude(int i, float rate) const {
        const float compression = dt * (rate - wallAt(wall, i).s);
        const float left = densityToo ? delta[i] + compression - 1 : delta[i] < kMinRelativeDensity ? -1 : compression;
        source[i] = left;
        points[i].p = pressure[i];
        return left > 0 ? left : 0;
    }
};

// pᵢ′ = max(0, yᵢ + ω (source + Δt² dδ²/dt²) / (Δt² D)),   yᵢ′ = max(0, pᵢ′ + β (pᵢ′ − pᵢ))
// Jacobi iteration with Nesterov acceleration: 20 to 30 iterations where a plain one takes a hundred.
struct Relax {
    CompressionRate rate;
    float dt2, momentum;  // Δt², β
    Span<const float> source, diagonal;
    Span<float> excess, last;    // last: p, in the channel that warm-starts the next step
    Span<PressurePoint> points;  // p: y

    static constexpr float kOmega = 0.5f;  // under-relaxation, without which Jacobi iterations diverge

    PURL_HD void operator()(int i) const { excess[i] = conclude(i, rate(i)); }

    // Returns the error of δ before the update: compression, or expansion that pressure causes. If expansion did not
    // count, the iteration would stop at pressures that are too high, and a tank at rest would heave.
    PURL_HD float conclude(int i, float rate) const {
        const float left = source[i] + dt2 * rate, scale = dt2 * diagonal[i];
        const bool pressed = points[i].p > 0;
        const float moved = scale > 0 ? points[i].p + kOmega * left / scale : 0, p = moved > 0 ? moved : 0;
        const float y = p + momentum * (p - last[i]);
        last[i] = p;
        points[i].p = y > 0 ? y : 0;
        return left > 0 ? left : pressed ? -left : 0;
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

Dfsph::Dfsph(const Device& device, bool tuned)
    : device_(device),
      tuned_(tuned && kHasLanes && device.isCpu()),
      points_(device, "dfsph.points"),
      wall_(device, "dfsph.wall"),
      pairs_(device, "dfsph.pairs"),
      delta_(device, "dfsph.delta"),
      diagonal_(device, "dfsph.diagonal"),
      source_(device, "dfsph.source"),
      excess_(device, "dfsph.excess") {}

void Dfsph::measure(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                    const Materials& materials, Buffer<float>& volume) {
    const int count = particles.count();
    const Neighbors::View view = neighbors.view();
    const Span<PressurePoint> points = allocatePoints(count);
    const bool hasBoundary = boundary && !boundary->empty();
    wall_.resizeDiscard(hasBoundary ? count : 0);
    delta_.resizeDiscard(count);
    diagonal_.resizeDiscard(count);
    source_.resizeDiscard(count);
    excess_.resizeDiscard(tuned_ ? 0 : count);
    volume.resizeDiscard(count);
    pairs_.resizeDiscard(neighbors.listSize());
    const double listed = pairs_.size();
    expectTraffic((16.0 + 64) * count);
    forEach(device_, "packVolumes", count,
            PackVolumes{std::as_const(particles.x).span(), particles.body.span(), materials.fluids.span(), points});
    const MeasureSystem measure{view,
                                hasBoundary ? boundary->view() : Boundary::View{},
                                hasBoundary,
                                materials.spline,
                                materials.wallSpline,
                                particles.body.span(),
                                materials.fluids.span(),
                                points,
                                pairs_.span(),
                                wall_.span(),
                                delta_.span(),
                                diagonal_.span(),
                                particles.density.span(),
                                volume.span()};
    // Lists are read and factors written; starts, counts and points read, four numbers written.
    expectTraffic((4 + 8) * listed + (8 + 32 + 32.0) * count);
#ifdef __AVX2__
    if (tuned_ && materials.uniform)
        forEachOnCpu(device_, "measureSystem", count, MeasureSystemLanes{measure});
    else
#endif
        forEach(device_, "measureSystem", count, measure);
}

// Memory for `count` points and the padding point.
Span<PressurePoint> Dfsph::allocatePoints(int count) {
    static_assert(sizeof(PressurePoint) == 2 * sizeof(Float4));
    points_.resizeDiscard(2 * (count + 1));
    setElements(points_, 2 * count, 1, Float4{kFar.x, kFar.y, kFar.z, 0});
    setElements(points_, 2 * count + 1, 1, Float4{});
    return {reinterpret_cast<PressurePoint*>(points_.data()), count};
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
    const Span<PressurePoint> points = allocatePoints(count);
    const CompressionRate rate{neighbors.view(), points, pairs_.span(), wall_.span()};
    const PressureAcceleration acceleration{neighbors.view(), particles.body.span(), materials.fluids.span(),
                                            points,           pairs_.span(),         wall_.span()};
    const FirstGuess firstGuess{
        rate,           wall_.span(),   densityToo, dt, delta_.span(), std::as_const(pressure).span(),
        source_.span(), excess_.span(), points};
    const double listed = pairs_.size();
    // Runs a kernel that uses the compression rate; returns the mean error of δ in %.
    const auto sweep = [&](const char* name, const auto& kernel) {
        double sum = 0;
        // Lists and factors, starts and counts; points and three numbers, some of which are written.
        expectTraffic((4 + 4) * listed + (8 + 64 + 16.0) * count);
#ifdef __AVX2__
        if (tuned_)
            sum = concludeOnCpu(device_, name, count, CompressionRateLanes{rate}, kernel);
        else
#endif
        {
            forEach(device_, name, count, kernel);
            sum = reduce(device_, "densityError", count, 0.0, Element{std::as_const(excess_).span()}, Sum{});
        }
        return count ? 100 * sum / count : 0;
    };

    expectTraffic((24.0 + 64) * count);
    forEach(device_, "packVelocities", count,
            PackVelocities{std::as_const(particles.x).span(), std::as_const(v).span(), points});
    sweep("firstGuess", firstGuess);
    PressureReport report;
    const auto accelerate = [&] {
        expectTraffic((4 + 4) * listed + (8 + 64.0) * count);
#ifdef __AVX2__
        if (tuned_)
            return forEachOnCpu(device_, "pressureAcceleration", count, PressureAccelerationLanes{acceleration});
#endif
        forEach(device_, "pressureAcceleration", count, acceleration);
    };
    int sinceRestart = 0;
    const int fewest = densityToo ? std::max(1, params.dfsph.minIterations) : 1;
    while (report.iterations < params.dfsph.maxIterations) {
        accelerate();
        const float momentum = static_cast<float>(sinceRestart) / static_cast<float>(sinceRestart + 3);
        const double error = sweep("relax", Relax{rate, dt * dt, momentum, source_.span(), diagonal_.span(),
                                                  excess_.span(), pressure.span(), points});
        // The error grew: restart the acceleration from here.
        sinceRestart = report.iterations > 0 && error > report.error ? 0 : sinceRestart + 1;
        report.error = error;
        ++report.iterations;
        if (report.iterations >= fewest && error <= tolerance) break;
    }
    accelerate();  // by the final pressures, which also determine the reaction on bodies
    expectTraffic((32 + 24 + 8.0) * count);
    forEach(device_, "accelerate", count, Accelerate{dt, points, v.span(), pressure.span()});
    return report;
}

}  // namespace purl
