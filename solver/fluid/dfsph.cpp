#include "solver/fluid/dfsph.h"

#include "solver/core/forEach.h"

namespace purl {
namespace {

struct PackVolumes {
    Span<const Vec3> x;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    Span<Packed> points;
    PURL_HD void operator()(int i) const { points[i] = {x[i], fluids[body[i]].restVolume}; }
};

struct Densities {
    Span<const float> delta;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    Span<float> density, volume;
    PURL_HD void operator()(int i) const {
        const FluidConstants& fluid = fluids[body[i]];
        density[i] = fluid.restDensity * delta[i];
        volume[i] = fluid.mass / density[i];
    }
};

struct PackVectors {
    Span<const Vec3> from;
    Span<Packed> to;
    PURL_HD void operator()(int i) const { to[i].v = from[i]; }
};

// Splashes and drops have too few neighbours to tell compression from flight.
constexpr float kWhole = 0.75f;

// What is to be brought to zero: the compression that v brings about in a step, for the density on top of what there
// is. Then pressures of the last step are the first guess, where there is anything to press against.
struct FirstGuess {
    CompressionRate rate;
    bool densityToo;
    float dt;
    Span<const float> delta, pressure;
    Span<float> source;
    Span<Packed> points;

    PURL_HD void operator()(int i) const {
        const float compression = dt * (rate(i) - rate.wall[i].s);
        source[i] = densityToo ? delta[i] + compression - 1 : delta[i] < kWhole ? -1 : compression;
        points[i].s = source[i] > 0 ? pressure[i] : 0;
    }
};

// pᵢ ← max(0, pᵢ + ω (source + Δt² dδ²/dt²) / (Δt² D))
struct Relax {
    CompressionRate rate;
    float dt2;
    Span<const float> source, diagonal;
    Span<float> excess;
    Span<Packed> points;

    static constexpr float kOmega = 0.5f;  // Jacobi's iteration needs it to converge

    PURL_HD void operator()(int i) const {
        const float left = source[i] + dt2 * rate(i), scale = dt2 * diagonal[i];
        excess[i] = left > 0 ? left : 0;
        const float p = scale > 0 ? points[i].s + kOmega * left / scale : 0;
        points[i].s = p > 0 ? p : 0;
    }
};

struct Accelerate {
    float dt;
    Span<const Packed> a, points;
    Span<Vec3> v;
    Span<float> pressure;
    PURL_HD void operator()(int i) const {
        v[i] += dt * a[i].v;
        pressure[i] = points[i].s;
    }
};

// One past the last slot of i's list, counted in whole eights: lists may be padded.
struct ListEnd {
    Neighbors::View neighbors;
    PURL_HD int operator()(int i) const {
        return static_cast<int>(neighbors.begin(i) - neighbors.indices) + (neighbors.count(i) + 7) / 8 * 8;
    }
};

struct Element {
    Span<const float> values;
    PURL_HD double operator()(int i) const { return double(values[i]); }
};

}  // namespace

Dfsph::Dfsph(const Device& device)
    : device_(device),
      points_(device),
      u_(device),
      wall_(device),
      pairs_(device),
      delta_(device),
      diagonal_(device),
      source_(device),
      excess_(device) {}

void Dfsph::measure(Particles& particles, const Neighbors& neighbors, const Boundary* walls, const Materials& materials,
                    Buffer<float>& volume) {
    const int count = particles.count();
    const Neighbors::View view = neighbors.view();
    device_.synchronize();
    points_.resize(count);
    u_.resize(count);
    wall_.resize(count);
    delta_.resize(count);
    diagonal_.resize(count);
    source_.resize(count);
    excess_.resize(count);
    volume.resize(count);
    pairs_.resize(reduce(device_, "listEnd", count, 0, ListEnd{view}, Largest{}));
    const bool hasWalls = walls && !walls->empty();
    forEach(
        device_, "packVolumes", count,
        PackVolumes{std::as_const(particles.x).span(), particles.body.span(), materials.fluids.span(), points_.span()});
    forEach(device_, "measureSystem", count,
            MeasureSystem{view, hasWalls ? walls->view() : Boundary::View{}, hasWalls, materials.spline,
                          materials.wallSpline, particles.body.span(), materials.fluids.span(), points_.span(),
                          pairs_.span(), wall_.span(), delta_.span(), diagonal_.span()});
    forEach(device_, "densities", count,
            Densities{delta_.span(), particles.body.span(), materials.fluids.span(), particles.density.span(),
                      volume.span()});
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
    const double tolerance = densityToo ? double(params.maxDensityError) : double(params.maxDivergenceError);
    const CompressionRate rate{neighbors.view(), points_.span(), pairs_.span(), wall_.span(), u_.span()};
    const PressureAcceleration acceleration{neighbors.view(), particles.body.span(), materials.fluids.span(),
                                            points_.span(),   pairs_.span(),         wall_.span(),
                                            u_.span()};
    forEach(device_, "packVelocities", count, PackVectors{std::as_const(v).span(), u_.span()});
    forEach(device_, "firstGuess", count,
            FirstGuess{rate, densityToo, dt, delta_.span(), std::as_const(pressure).span(), source_.span(),
                       points_.span()});
    PressureReport report;
    for (;;) {
        forEach(device_, "pressureAcceleration", count, acceleration);
        if (report.iterations == params.maxIterations) break;
        if (report.iterations >= params.minIterations && report.iterations > 0 && report.error <= tolerance) break;
        forEach(device_, "relax", count,
                Relax{rate, dt * dt, source_.span(), diagonal_.span(), excess_.span(), points_.span()});
        const double sum = reduce(device_, "densityError", count, 0.0, Element{std::as_const(excess_).span()}, Sum{});
        report.error = count ? 100 * sum / count : 0;
        ++report.iterations;
    }
    forEach(device_, "accelerate", count,
            Accelerate{dt, std::as_const(u_).span(), std::as_const(points_).span(), v.span(), pressure.span()});
    return report;
}

}  // namespace purl
