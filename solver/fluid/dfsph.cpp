#include "solver/fluid/dfsph.h"

#include "solver/core/forEach.h"
#include "solver/fluid/pressureLanes.h"

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
template <class Rate>
struct FirstGuess {
    Rate rate;
    Span<const Packed> wall;
    bool densityToo;
    float dt;
    Span<const float> delta, pressure;
    Span<float> source, last;
    Span<Packed> points;

    // On the GPU Rate is always the plain one; nvcc need not mind that the tuned one is the CPU's alone.
#ifdef __CUDACC__
    #pragma nv_exec_check_disable
#endif
    PURL_HD void operator()(int i) const {
        const float compression = dt * (rate(i) - wall[i].s);
        source[i] = densityToo ? delta[i] + compression - 1 : delta[i] < kWhole ? -1 : compression;
        last[i] = points[i].s = source[i] > 0 ? pressure[i] : 0;
    }
};

// pᵢ′ = max(0, yᵢ + ω (source + Δt² dδ²/dt²) / (Δt² D)),   yᵢ′ = max(0, pᵢ′ + β (pᵢ′ − pᵢ))
// Jacobi's iteration, carried on along the way it has been going (Nesterov's method): what a plain one needs a hundred
// iterations for takes it twenty or thirty.
template <class Rate>
struct Relax {
    Rate rate;
    float dt2, momentum;  // Δt², β
    Span<const float> source, diagonal;
    Span<float> excess, last;  // last: p
    Span<Packed> points;       // x, y

    static constexpr float kOmega = 0.5f;  // Jacobi's iteration needs it to converge

#ifdef __CUDACC__
    #pragma nv_exec_check_disable
#endif
    PURL_HD void operator()(int i) const {
        const float left = source[i] + dt2 * rate(i), scale = dt2 * diagonal[i];
        excess[i] = left > 0 ? left : 0;
        const float moved = scale > 0 ? points[i].s + kOmega * left / scale : 0, p = moved > 0 ? moved : 0;
        const float y = p + momentum * (p - last[i]);
        last[i] = p;
        points[i].s = y > 0 ? y : 0;
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

// One past the last slot of i's list.
struct ListEnd {
    Neighbors::View neighbors;
    PURL_HD int operator()(int i) const {
        return static_cast<int>(neighbors.begin(i) - neighbors.indices) + neighbors.paddedCount(i);
    }
};

struct Element {
    Span<const float> values;
    PURL_HD double operator()(int i) const { return double(values[i]); }
};

}  // namespace

Dfsph::Dfsph(const Device& device, bool tuned)
    : device_(device),
      tuned_(tuned && !device.isCuda()),
      points_(device),
      u_(device),
      wall_(device),
      pairs_(device),
      delta_(device),
      diagonal_(device),
      last_(device),
      source_(device),
      excess_(device) {}

void Dfsph::measure(Particles& particles, const Neighbors& neighbors, const Boundary* walls, const Materials& materials,
                    Buffer<float>& volume) {
    const int count = particles.count();
    const Neighbors::View view = neighbors.view();
    device_.synchronize();
    points_.resize(count + 1);
    u_.resize(count + 1);
    points_[count] = kFarAway;
    u_[count] = {};
    wall_.resize(count);
    delta_.resize(count);
    diagonal_.resize(count);
    source_.resize(count);
    last_.resize(count);
    excess_.resize(count);
    volume.resize(count);
    pairs_.resize(reduce(device_, "listEnd", count, 0, ListEnd{view}, Largest{}));
    const bool hasWalls = walls && !walls->empty();
    forEach(
        device_, "packVolumes", count,
        PackVolumes{std::as_const(particles.x).span(), particles.body.span(), materials.fluids.span(), points_.span()});
    const MeasureSystem measure{view,
                                hasWalls ? walls->view() : Boundary::View{},
                                hasWalls,
                                materials.spline,
                                materials.wallSpline,
                                particles.body.span(),
                                materials.fluids.span(),
                                points_.span(),
                                pairs_.span(),
                                wall_.span(),
                                delta_.span(),
                                diagonal_.span()};
#ifdef __AVX2__
    if (tuned_ && materials.uniform)
        forEachOnCpu(device_, "measureSystem", count, MeasureSystemLanes{measure});
    else
#endif
        forEach(device_, "measureSystem", count, measure);
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
    const auto firstGuess = [&](const auto& compression) {
        using Rate = std::decay_t<decltype(compression)>;
        return FirstGuess<Rate>{
            compression,    wall_.span(), densityToo,    dt, delta_.span(), std::as_const(pressure).span(),
            source_.span(), last_.span(), points_.span()};
    };
    const auto relax = [&](const auto& compression, float momentum) {
        using Rate = std::decay_t<decltype(compression)>;
        return Relax<Rate>{compression,      dt * dt,        momentum,     source_.span(),
                           diagonal_.span(), excess_.span(), last_.span(), points_.span()};
    };
    const auto accelerate = [&] {
#ifdef __AVX2__
        if (tuned_)
            return forEachOnCpu(device_, "pressureAcceleration", count, PressureAccelerationLanes{acceleration});
#endif
        forEach(device_, "pressureAcceleration", count, acceleration);
    };

    forEach(device_, "packVelocities", count, PackVectors{std::as_const(v).span(), u_.span()});
#ifdef __AVX2__
    if (tuned_)
        forEachOnCpu(device_, "firstGuess", count, firstGuess(CompressionRateLanes{rate}));
    else
#endif
        forEach(device_, "firstGuess", count, firstGuess(rate));
    PressureReport report;
    int sinceRestart = 0;
    for (;;) {
        accelerate();
        const bool enough = report.iterations >= (densityToo ? params.minIterations : 1) && report.iterations > 0;
        if (report.iterations == params.maxIterations || (enough && report.error <= tolerance)) break;
        const float momentum = static_cast<float>(sinceRestart) / static_cast<float>(sinceRestart + 3);
#ifdef __AVX2__
        if (tuned_)
            forEachOnCpu(device_, "relax", count, relax(CompressionRateLanes{rate}, momentum));
        else
#endif
            forEach(device_, "relax", count, relax(rate, momentum));
        const double sum = reduce(device_, "densityError", count, 0.0, Element{std::as_const(excess_).span()}, Sum{});
        const double error = count ? 100 * sum / count : 0;
        // Gone too far: begin anew from here.
        sinceRestart = report.iterations > 0 && error > report.error ? 0 : sinceRestart + 1;
        report.error = error;
        ++report.iterations;
    }
    forEach(device_, "accelerate", count,
            Accelerate{dt, std::as_const(u_).span(), std::as_const(points_).span(), v.span(), pressure.span()});
    return report;
}

}  // namespace purl
