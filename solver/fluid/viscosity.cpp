#include "solver/fluid/viscosity.h"

#include <cmath>

#include "solver/core/forEach.h"
#include "solver/core/traffic.h"
#include "solver/fluid/boundaryViscosity.h"
#include "solver/fluid/pressure/pressureLanes.h"

namespace purl {
namespace {

constexpr float kSoft = kViscositySoftening;

struct Friction {
    Neighbors::View neighbors;
    BoundaryViscosity boundary;
    CubicSpline W;
    Span<const FluidConstants> fluids;
    float dt;
    Span<const int> body;
    Span<const Vec3> v;
    Span<const float> density, volume;
    Span<Vec3> a;

    PURL_HD void operator()(int i) const {
        const FluidConstants& fluid = fluids[body[i]];
        if (fluid.viscosityModel == ViscosityModel::morris) a[i] += morris(i, fluid);
        if (fluid.viscosityModel == ViscosityModel::xsph) a[i] += blend(i, fluid);
    }

    // a = Σⱼ mⱼ (μᵢ + μⱼ)/(ρᵢ ρⱼ) (d·∇W)/(r² + ε h²) (vᵢ − vⱼ)   Morris et al. 1997, eq. 22
    PURL_HD Vec3 morris(int i, const FluidConstants& fluid) const {
        Vec3 sum;
        neighbors.forEach(i, [&](int j, Vec3, float r2) {
            const float both = fluid.viscosity + fluids[body[j]].viscosity;
            const float steepness = W.gradientFactor(std::sqrt(r2)) * r2 / (r2 + kSoft * W.h * W.h);
            sum += (both * volume[j] * steepness) * (v[i] - v[j]);
        });
        return finishMorris(i, fluid, sum);
    }
    PURL_HD Vec3 finishMorris(int i, const FluidConstants& fluid, Vec3 sum) const {
        boundary.forEach(i, neighbors.x[i],
                         [&](float weight, Vec3 u) { sum -= (2 * fluid.viscosity * weight) * (v[i] - u); });
        return sum / density[i];
    }

    // Δv = c Σⱼ mⱼ/ρ̄ Wᵢⱼ (vⱼ − vᵢ)   Monaghan 1989
    PURL_HD Vec3 blend(int i, const FluidConstants& fluid) const {
        Vec3 sum;
        neighbors.forEach(i, [&](int j, Vec3, float r2) {
            const FluidConstants& other = fluids[body[j]];
            sum += (2 * other.mass / (fluid.restDensity + other.restDensity) * W(std::sqrt(r2))) * (v[j] - v[i]);
        });
        return finishBlend(i, fluid, sum);
    }
    PURL_HD Vec3 finishBlend(int i, const FluidConstants& fluid, Vec3 sum) const {
        if (boundary.any)
            boundary.boundary.forEach(i, [&](Vec3 x, float wallVolume, Vec3 u, float friction) {
                sum += boundary.blendWeight(neighbors.x[i], x, wallVolume, friction) * (u - v[i]);
            });
        return blendRate(fluid, W, dt) * sum;
    }
};

#ifdef __AVX2__

// Friction for one fluid, eight neighbours at a time.
struct FrictionLanes {
    Friction plain;
    const Float4 *points, *flow;

    void operator()(int i) const {
        const FluidConstants& fluid = plain.fluids[0];
        plain.a[i] += fluid.viscosityModel == ViscosityModel::morris ? plain.finishMorris(i, fluid, morris(i, fluid))
                                                                     : plain.finishBlend(i, fluid, blend(i, fluid));
    }
    // Σ weight(r², V) (vᵢ − vⱼ) over the neighbours.
    template <class Weight>
    Vec3 sum(int i, const Weight& weight) const {
        const Vec3 xi = plain.neighbors.x[i], vi = plain.v[i];
        const int* const list = plain.neighbors.begin(i);
        LaneSum3 sum;
        for (int n = 0, count = plain.neighbors.count(i); n < count; n += Neighbors::kLanes) {
            const Lanes4 other = loadLanes(points, list + n);
            const __m256 r2 = LaneOffsets(xi, other).lengthSquared();
            const LaneOffsets slip(vi, loadLanes(flow, list + n));
            sum.add(weight(r2, other.w), slip.x, slip.y, slip.z);
        }
        return sum.total();
    }
    Vec3 morris(int i, const FluidConstants& fluid) const {
        const __m256 soft = _mm256_set1_ps(kSoft * plain.W.h * plain.W.h);
        const Vec3 total = sum(i, [&](__m256 r2, __m256 volume) {
            const __m256 steepness = _mm256_mul_ps(SplineLanes(plain.W, r2).gradientFactor(), r2);
            return _mm256_mul_ps(volume, _mm256_div_ps(steepness, _mm256_add_ps(r2, soft)));
        });
        return (2 * fluid.viscosity * plain.W.gradient) * total;
    }
    Vec3 blend(int i, const FluidConstants& fluid) const {
        const Vec3 total = sum(i, [&](__m256 r2, __m256) { return SplineLanes(plain.W, r2).value(); });
        return (-fluid.mass / fluid.restDensity * plain.W.value) * total;
    }
};

#endif

Friction frictionOf(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                    const Materials& materials, float dt, const Buffer<Vec3>& v, const Buffer<float>& volume) {
    return {neighbors.view(),
            BoundaryViscosity(boundary, materials),
            materials.spline,
            materials.fluids.span(),
            dt,
            particles.body.span(),
            v.span(),
            particles.density.span(),
            volume.span(),
            particles.a.span()};
}

// ---- implicit viscosity ------------------------------------------------------------------------------------------

PURL_HD inline bool isImplicit(const FluidConstants& fluid) {
    return fluid.viscosityModel == ViscosityModel::implicit && fluid.viscosity > 0;
}

// Symmetric 3×3 matrix times vector; six entries: xx xy xz yy yz zz.
PURL_HD inline Vec3 timesSymmetric(const float* m, Vec3 v) {
    return {m[0] * v.x + m[1] * v.y + m[2] * v.z, m[1] * v.x + m[3] * v.y + m[4] * v.z,
            m[2] * v.x + m[4] * v.y + m[5] * v.z};
}

// Computes the matrix entries of pairs and boundaries, the block Jacobi preconditioner and the right-hand side of
// (M + Δt K) Δv = b, b = −Δt K v.
struct AssembleViscosity {
    Neighbors::View neighbors;
    BoundaryViscosity boundary;
    CubicSpline W;
    Span<const FluidConstants> fluids;
    float dt;
    Span<const int> body;
    Span<const Vec3> v;
    Span<const float> volume;
    Span<float> pairs, wall, inverse;
    Span<Float4> points;
    Span<Vec3> b;

    PURL_HD void operator()(int i) const {
        const FluidConstants& fluid = fluids[body[i]];
        const Vec3 xi = neighbors.x[i], vi = v[i];
        points[i] = {xi.x, xi.y, xi.z, 0};
        const bool solved = isImplicit(fluid);
        const int* const list = neighbors.begin(i);
        float* const resistance = pairs.data + (list - neighbors.indices);
        for (int n = 0, padded = neighbors.paddedCount(i); n < padded; ++n) resistance[n] = 0;
        wall[i] = 0;
        b[i] = {};
        for (int k = 0; k < 6; ++k) inverse[6 * i + k] = 0;
        if (!solved) return;

        double xx = double(fluid.mass), xy = 0, xz = 0, yy = xx, yz = 0, zz = xx;
        Vec3 impulse;
        for (int n = 0, count = neighbors.count(i); n < count; ++n) {
            const int j = list[n];
            const Vec3 d = xi - neighbors.x[j];
            const float r2 = dot(d, d);
            // ∇²v ≈ 2 (D + 2) Σ V (vᵢⱼ·d)/(r² + ε h²) ∇W in D dimensions; times Vᵢ it is symmetric in i and j
            const float k = -static_cast<float>(fluid.dimensions + 2) * dt *
                            (fluid.viscosity + fluids[body[j]].viscosity) * volume[i] * volume[j] *
                            W.gradientFactor(std::sqrt(r2)) / (r2 + kSoft * W.h * W.h);
            resistance[n] = k;
            impulse += (k * dot(d, vi - v[j])) * d;
            xx += double(k * d.x * d.x), xy += double(k * d.x * d.y), xz += double(k * d.x * d.z);
            yy += double(k * d.y * d.y), yz += double(k * d.y * d.z), zz += double(k * d.z * d.z);
        }
        boundary.forEach(i, xi, [&](float weight, Vec3 u) {
            const float k = 2 * dt * fluid.viscosity * volume[i] * weight;
            wall[i] += k;
            impulse += k * (vi - u);
        });
        b[i] = -impulse;
        xx += double(wall[i]), yy += double(wall[i]), zz += double(wall[i]);
        const double cxx = yy * zz - yz * yz, cxy = xz * yz - xy * zz, cxz = xy * yz - xz * yy;
        const double perDeterminant = 1 / (xx * cxx + xy * cxy + xz * cxz);
        const double own[6] = {cxx, cxy, cxz, xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy};
        for (int k = 0; k < 6; ++k) inverse[6 * i + k] = static_cast<float>(own[k] * perDeterminant);
    }
};

// q = (M + Δt K) p
struct Multiply {
    Neighbors::View neighbors;
    Span<const FluidConstants> fluids;
    Span<const int> body;
    Span<const float> pairs, wall;
    Span<const Float4> points, p;
    Span<Vec3> q;

    PURL_HD void operator()(int i) const {
        const Vec3 xi = at(points[i]), pi = at(p[i]);
        const int* const list = neighbors.begin(i);
        const float* const resistance = pairs.data + (list - neighbors.indices);
        Vec3 sum;
        for (int n = 0, count = neighbors.count(i); n < count; ++n) {
            const Vec3 d = xi - at(points[list[n]]);
            sum += (resistance[n] * dot(d, pi - at(p[list[n]]))) * d;
        }
        finish(i, sum);
    }
    PURL_HD void finish(int i, Vec3 sum) const {
        // Particles of other models are not solved for: their p and q stay 0.
        const FluidConstants& fluid = fluids[body[i]];
        q[i] = isImplicit(fluid) ? (fluid.mass + wall[i]) * at(p[i]) + sum : Vec3{};
    }
    PURL_HD static Vec3 at(const Float4& f) { return {f.x, f.y, f.z}; }
};

#ifdef __AVX2__
struct MultiplyLanes {
    const Multiply& plain;

    void operator()(int i) const {
        const Vec3 xi = Multiply::at(plain.points[i]), pi = Multiply::at(plain.p[i]);
        const int* const list = plain.neighbors.begin(i);
        const float* const resistance = plain.pairs.data + (list - plain.neighbors.indices);
        LaneSum3 sum;
        for (int n = 0, count = plain.neighbors.count(i); n < count; n += Neighbors::kLanes) {
            const LaneOffsets d(xi, loadLanes(plain.points.data, list + n)),
                slip(pi, loadLanes(plain.p.data, list + n));
            sum.add(_mm256_mul_ps(_mm256_loadu_ps(resistance + n), d.dot(slip)), d.x, d.y, d.z);
        }
        plain.finish(i, sum.total());
    }
};
#endif

// r = b − q, z = P⁻¹ r, p = z
struct InitialResidual {
    Span<const Vec3> b, q;
    Span<const float> inverse;
    Span<Vec3> r, z;
    Span<Float4> p;
    PURL_HD void operator()(int i) const {
        r[i] = b[i] - q[i];
        z[i] = timesSymmetric(inverse.data + 6 * i, r[i]);
        p[i] = {z[i].x, z[i].y, z[i].z, 0};
    }
};
// Δv += α p, r −= α q, z = P⁻¹ r
struct AdvanceSolution {
    float alpha;
    Span<const Float4> p;
    Span<const Vec3> q;
    Span<const float> inverse;
    Span<Vec3> change, r, z;
    PURL_HD void operator()(int i) const {
        change[i] += alpha * Multiply::at(p[i]);
        r[i] -= alpha * q[i];
        z[i] = timesSymmetric(inverse.data + 6 * i, r[i]);
    }
};
// p = z + β p
struct UpdateDirection {
    float beta;
    Span<const Vec3> z;
    Span<Float4> p;
    PURL_HD void operator()(int i) const {
        p[i] = {z[i].x + beta * p[i].x, z[i].y + beta * p[i].y, z[i].z + beta * p[i].z, 0};
    }
};

PURL_HD inline double dotDouble(Vec3 a, Vec3 b) {
    return double(a.x) * double(b.x) + double(a.y) * double(b.y) + double(a.z) * double(b.z);
}
struct Dot {
    Span<const Vec3> a, b;
    PURL_HD double operator()(int i) const { return dotDouble(a[i], b[i]); }
};
struct DotPacked {
    Span<const Float4> a;
    Span<const Vec3> b;
    PURL_HD double operator()(int i) const { return dotDouble(Multiply::at(a[i]), b[i]); }
};
// b·P⁻¹ b: the norm that the error is relative to.
struct PreconditionedNorm {
    Span<const Vec3> b;
    Span<const float> inverse;
    PURL_HD double operator()(int i) const { return dotDouble(b[i], timesSymmetric(inverse.data + 6 * i, b[i])); }
};
// v·M v: the scale of rounding errors in b.
struct MassNorm {
    Span<const Vec3> v;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    PURL_HD double operator()(int i) const { return double(fluids[body[i]].mass) * dotDouble(v[i], v[i]); }
};

struct InitialGuess {
    Span<const float> last;
    Span<const FluidConstants> fluids;
    Span<const int> body;
    Span<Vec3> change;
    Span<Float4> p;
    PURL_HD void operator()(int i) const {
        const float* const c = last.data + 3 * i;
        change[i] = isImplicit(fluids[body[i]]) ? Vec3{c[0], c[1], c[2]} : Vec3{};
        p[i] = {change[i].x, change[i].y, change[i].z, 0};
    }
};
struct ApplyChange {
    Span<const Vec3> change;
    Span<Vec3> v;
    Span<float> last;
    PURL_HD void operator()(int i) const {
        v[i] += change[i];
        float* const c = last.data + 3 * i;
        c[0] = change[i].x, c[1] = change[i].y, c[2] = change[i].z;
    }
};

}  // namespace

void addExplicitViscosityPlain(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                               const Materials& materials, float dt, const Buffer<Vec3>& v,
                               const Buffer<float>& volume) {
    if (!materials.frictionPass) return;
    forEach(volume.device(), "friction", particles.count(),
            frictionOf(particles, neighbors, boundary, materials, dt, v, volume));
}

void addExplicitViscosity(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                          const Materials& materials, float dt, const Buffer<Vec3>& v, const Buffer<float>& volume,
                          [[maybe_unused]] LaneMemory& memory) {
    if (!materials.frictionPass) return;
#ifdef __AVX2__
    if (materials.fluids.size() == 1 && !volume.device().isCuda()) {
        packFlow(volume.device(), std::as_const(particles.x).span(), v.span(), volume.span(), memory);
        expectTraffic(4.0 * neighbors.listSize() + (8 + 32 + 24.0) * particles.count());
        return forEachOnCpu(volume.device(), "friction", particles.count(),
                            FrictionLanes{frictionOf(particles, neighbors, boundary, materials, dt, v, volume),
                                          memory.points.data(), memory.flow()});
    }
#endif
    addExplicitViscosityPlain(particles, neighbors, boundary, materials, dt, v, volume);
}

ImplicitViscosity::ImplicitViscosity(const Device& device, bool tuned)
    : device_(device),
      tuned_(tuned && !device.isCuda()),
      pairs_(device),
      wall_(device),
      inverse_(device),
      points_(device),
      p_(device),
      b_(device),
      r_(device),
      z_(device),
      q_(device),
      change_(device) {}

ViscosityReport ImplicitViscosity::solve(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                                         const Materials& materials, const SolverParams& params, float dt,
                                         const Buffer<float>& volume, Buffer<Vec3>& v) {
    const int count = particles.count();
    particles.viscousChange.widen(materials.implicitViscosity ? 3 : 0, count);
    ViscosityReport report;
    if (!materials.implicitViscosity || count == 0) return report;
    device_.synchronize();
    pairs_.resize(neighbors.listSize());
    wall_.resize(count);
    inverse_.resize(6 * count);
    points_.resize(count + 1);
    p_.resize(count + 1);
    points_[count] = kNobody4;
    p_[count] = {};
    for (Buffer<Vec3>* vectors : {&b_, &r_, &z_, &q_, &change_}) vectors->resize(count);

    const Span<const FluidConstants> fluids = materials.fluids.span();
    const Span<const int> body = std::as_const(particles.body).span();
    const Span<const Vec3> r = std::as_const(r_).span(), z = std::as_const(z_).span(), q = std::as_const(q_).span();
    const Span<const Float4> p = std::as_const(p_).span();
    const Span<const float> inverse = std::as_const(inverse_).span();
    const Multiply multiply{neighbors.view(),
                            fluids,
                            body,
                            std::as_const(pairs_).span(),
                            std::as_const(wall_).span(),
                            std::as_const(points_).span(),
                            p,
                            q_.span()};
    const auto applyMatrix = [&] {
#ifdef __AVX2__
        if (tuned_) return forEachOnCpu(device_, "viscosityProduct", count, MultiplyLanes{multiply});
#endif
        forEach(device_, "viscosityProduct", count, multiply);
    };

    forEach(device_, "assembleViscosity", count,
            AssembleViscosity{neighbors.view(), BoundaryViscosity(boundary, materials), materials.spline, fluids, dt,
                              body, std::as_const(v).span(), volume.span(), pairs_.span(), wall_.span(),
                              inverse_.span(), points_.span(), b_.span()});
    const double bNorm2 =
        reduce(device_, "viscosityNorm", count, 0.0, PreconditionedNorm{std::as_const(b_).span(), inverse}, Sum{});
    const double vNorm2 =
        reduce(device_, "massNorm", count, 0.0, MassNorm{std::as_const(v).span(), body, fluids}, Sum{});
    // Without shear, b is only rounding error.
    constexpr double kRounding = 1e-7;
    const bool hasNoShear = !(bNorm2 > kRounding * kRounding * vNorm2);
    forEach(
        device_, "initialGuess", count,
        InitialGuess{std::as_const(particles.viscousChange.values).span(), fluids, body, change_.span(), p_.span()});
    if (hasNoShear) {
        change_.resize(0);
        change_.resize(count);
    } else {
        applyMatrix();
        forEach(device_, "initialResidual", count,
                InitialResidual{std::as_const(b_).span(), q, inverse, r_.span(), z_.span(), p_.span()});
        double rz = reduce(device_, "residual", count, 0.0, Dot{r, z}, Sum{});
        const auto error = [&] { return 100 * std::sqrt(rz / bNorm2); };
        report.error = error();
        while (report.error > double(params.maxViscosityError) && report.iterations < params.maxViscosityIterations) {
            applyMatrix();
            const double alpha = rz / reduce(device_, "pAp", count, 0.0, DotPacked{p, q}, Sum{});
            forEach(device_, "advanceSolution", count,
                    AdvanceSolution{static_cast<float>(alpha), p, q, inverse, change_.span(), r_.span(), z_.span()});
            const double previousRz = rz;
            rz = reduce(device_, "residual", count, 0.0, Dot{r, z}, Sum{});
            forEach(device_, "updateDirection", count,
                    UpdateDirection{static_cast<float>(rz / previousRz), z, p_.span()});
            report.error = error();
            ++report.iterations;
        }
    }
    forEach(device_, "applyChange", count,
            ApplyChange{std::as_const(change_).span(), v.span(), particles.viscousChange.values.span()});
    return report;
}

}  // namespace purl
