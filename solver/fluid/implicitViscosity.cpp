#include "solver/fluid/implicitViscosity.h"

#include <cmath>

#include "solver/core/conjugateGradients.h"
#include "solver/fluid/boundaryViscosity.h"
#include "solver/fluid/lanes.h"

namespace purl {
namespace {

PURL_HD inline bool isImplicit(const FluidConstants& fluid) {
    return fluid.viscosityModel == ViscosityModel::implicit && fluid.viscosity > 0;
}

// Symmetric 3×3 matrix times vector; six entries: xx xy xz yy yz zz.
PURL_HD inline Vec3 timesSymmetric(const float* m, Vec3 v) {
    return {m[0] * v.x + m[1] * v.y + m[2] * v.z, m[1] * v.x + m[3] * v.y + m[4] * v.z,
            m[2] * v.x + m[4] * v.y + m[5] * v.z};
}

// The last index is the padding element's.
struct PackViscosity {
    Span<const Vec3> x, v;
    Span<const float> volume;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    Span<Float4> points, flow, p;
    PURL_HD void operator()(int i) const {
        if (i == x.count) {
            points[i] = kNobody4;
            flow[i] = p[i] = {0, 0, 0, 0};
            return;
        }
        points[i] = {x[i].x, x[i].y, x[i].z, volume[i]};
        flow[i] = {v[i].x, v[i].y, v[i].z, fluids[body[i]].viscosity};
    }
};

// Particles of other models are not solved for: their p and q stay 0.
struct ImplicitFluids {
    Span<const FluidConstants> fluids;
    Span<const int> body;
    PURL_HD bool includes(int i) const { return isImplicit(fluids[body[i]]); }
};

// Computes the matrix entries of pairs and boundaries, the block Jacobi preconditioner and the right-hand side of
// (M + Δt K) Δv = b, b = −Δt K v.
struct AssembleViscosity : ImplicitFluids {
    BoundaryViscosity boundary;
    CubicSpline W;
    float dt;
    const Float4 *points, *flow;
    float* pairs;
    Span<float> wall, inverse;
    Span<Vec3> b;

    template <class F>
    struct Own {
        VecOf<F> x, v;
        F scale, viscosity;
    };
    template <class F>
    struct Sums {
        VecOf<F> impulse;
        F xx{0.0f}, xy{0.0f}, xz{0.0f}, yy{0.0f}, yz{0.0f}, zz{0.0f};
    };
    template <class F>
    PURL_HD Own<F> own(int i) const {
        const float scale = -static_cast<float>(fluids[body[i]].dimensions + 2) * dt * points[i].w * W.gradient;
        return {broadcast<F>(Vec3(points[i])), broadcast<F>(Vec3(flow[i])), F(scale), F(flow[i].w)};
    }
    template <class F>
    PURL_HD void pair(const Own<F>& own, const Neighbor<F>& j, Sums<F>& sums) const {
        const Row<F> other = j.row(points), otherFlow = j.row(flow);
        const VecOf<F> d = own.x - other.xyz();
        const F r2 = dot(d, d);
        // ∇²v ≈ 2 (D + 2) Σ V (vᵢⱼ·d)/(r² + ε h²) ∇W in D dimensions; times Vᵢ it is symmetric in i and j
        const F k = own.scale * (own.viscosity + otherFlow.w) * other.w * W.slope(sqrt(r2)) /
                    (r2 + F(kViscositySoftening * W.h * W.h));
        j.storeOfPair(k, pairs);
        sums.impulse = fma(k * dot(d, own.v - otherFlow.xyz()), d, sums.impulse);
        const VecOf<F> kd = k * d;
        sums.xx = fma(kd.x, d.x, sums.xx), sums.xy = fma(kd.x, d.y, sums.xy), sums.xz = fma(kd.x, d.z, sums.xz);
        sums.yy = fma(kd.y, d.y, sums.yy), sums.yz = fma(kd.y, d.z, sums.yz), sums.zz = fma(kd.z, d.z, sums.zz);
    }
    PURL_HD void finish(int i, const Sums<float>& sums) const {
        const FluidConstants& fluid = fluids[body[i]];
        const Vec3 vi = Vec3(flow[i]);
        Vec3 impulse = vec3(sums.impulse);
        float atWall = 0;
        boundary.forEach(i, Vec3(points[i]), [&](float weight, Vec3 u) {
            const float k = 2 * dt * fluid.viscosity * points[i].w * weight;
            atWall += k;
            impulse += k * (vi - u);
        });
        wall[i] = atWall;
        b[i] = -impulse;
        const double own = double(fluid.mass) + double(atWall);
        const double xx = own + double(sums.xx), xy = double(sums.xy), xz = double(sums.xz);
        const double yy = own + double(sums.yy), yz = double(sums.yz), zz = own + double(sums.zz);
        const double cxx = yy * zz - yz * yz, cxy = xz * yz - xy * zz, cxz = xy * yz - xz * yy;
        const double perDeterminant = 1 / (xx * cxx + xy * cxy + xz * cxz);
        const double each[6] = {cxx, cxy, cxz, xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy};
        for (int k = 0; k < 6; ++k) inverse[6 * i + k] = static_cast<float>(each[k] * perDeterminant);
    }
};

// q = (M + Δt K) p
struct MultiplySweep : ImplicitFluids {
    const float* pairs;
    Span<const float> wall;
    const Float4 *points, *p;
    Span<Vec3> q;

    template <class F>
    struct Own {
        VecOf<F> x, p;
    };
    template <class F>
    struct Sums {
        VecOf<F> impulse;
    };
    template <class F>
    PURL_HD Own<F> own(int i) const {
        return {broadcast<F>(Vec3(points[i])), broadcast<F>(Vec3(p[i]))};
    }
    template <class F>
    PURL_HD void pair(const Own<F>& own, const Neighbor<F>& j, Sums<F>& sums) const {
        const VecOf<F> d = own.x - j.row(points).xyz(), slip = own.p - j.row(p).xyz();
        sums.impulse = fma(j.ofPair(pairs) * dot(d, slip), d, sums.impulse);
    }
    PURL_HD void finish(int i, const Sums<float>& sums) const {
        q[i] = (fluids[body[i]].mass + wall[i]) * Vec3(p[i]) + vec3(sums.impulse);
    }
};

// Inverse of each particle's 3×3 block of the matrix.
struct BlockJacobi {
    Span<const float> inverse;  // 1/kg, six entries per particle
    PURL_HD Vec3 apply(int i, Vec3 r) const { return timesSymmetric(inverse.data + 6 * i, r); }
    PURL_HD double energy(int i, Vec3 r) const { return dotInDouble(r, apply(i, r)); }
};

// r = b − q, p = P⁻¹ r
struct InitialResidual {
    Span<const Vec3> b, q;
    BlockJacobi preconditioner;
    Span<Vec3> r;
    Span<Float4> p;
    PURL_HD void operator()(int i) const {
        r[i] = b[i] - q[i];
        const Vec3 z = preconditioner.apply(i, r[i]);
        p[i] = {z.x, z.y, z.z};
    }
};

// b·P⁻¹ b: the norm that the error is relative to.
struct PreconditionedNorm {
    BlockJacobi preconditioner;
    Span<const Vec3> b;
    PURL_HD double operator()(int i) const { return preconditioner.energy(i, b[i]); }
};
// v·M v: the scale of rounding errors in b.
struct MassNorm {
    Span<const Vec3> v;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    PURL_HD double operator()(int i) const { return double(fluids[body[i]].mass) * dotInDouble(v[i], v[i]); }
};

// Both norms, so that the host waits once.
struct Norms {
    double b2 = 0, v2 = 0;
};
struct NormsOf {
    PreconditionedNorm b2;
    MassNorm v2;
    PURL_HD Norms operator()(int i) const { return {b2(i), v2(i)}; }
};
struct AddNorms {
    PURL_HD Norms operator()(const Norms& a, const Norms& b) const { return {a.b2 + b.b2, a.v2 + b.v2}; }
};

// Whether the error, in %, is small enough.
struct RelativeError {
    double b2, tolerance;
    PURL_HD double of(const ConjugateGradientState& now) const { return 100 * std::sqrt(now.rz / b2); }
    PURL_HD bool operator()(const ConjugateGradientState& now) const { return !(of(now) > tolerance); }
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

ImplicitViscosity::ImplicitViscosity(const Device& device)
    : device_(device),
      pairs_(device, "implicitViscosity.pairs"),
      wall_(device, "implicitViscosity.wall"),
      inverse_(device, "implicitViscosity.inverse"),
      points_(device, "implicitViscosity.points"),
      p_(device, "implicitViscosity.p"),
      flow_(device, "implicitViscosity.flow"),
      b_(device, "implicitViscosity.b"),
      r_(device, "implicitViscosity.r"),
      q_(device, "implicitViscosity.q"),
      change_(device, "implicitViscosity.change") {}

ViscosityReport ImplicitViscosity::solve(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                                         const Materials& materials, const SolverParams& params, float dt,
                                         const Buffer<float>& volume, Buffer<Vec3>& v) {
    const int count = particles.count();
    particles.viscousChange.widen(materials.implicitViscosity ? 3 : 0, count);
    ViscosityReport report;
    if (!materials.implicitViscosity || count == 0) return report;
    pairs_.resizeDiscard(neighbors.listSize());
    for (Buffer<Float4>* rows : {&points_, &p_, &flow_}) rows->resizeDiscard(count + 1);
    // Zero for particles of other models.
    for (Buffer<float>* numbers : {&wall_, &inverse_}) numbers->resize(0);
    wall_.resize(count);
    inverse_.resize(6 * count);
    for (Buffer<Vec3>* vectors : {&b_, &r_, &q_, &change_}) {
        vectors->resize(0);
        vectors->resize(count);
    }

    const Span<const FluidConstants> fluids = materials.fluids.span();
    const Span<const int> body = std::as_const(particles.body).span();
    const BlockJacobi preconditioner{std::as_const(inverse_).span()};
    const MultiplySweep multiply{{fluids, body}, pairs_.data(), std::as_const(wall_).span(),
                                 points_.data(), p_.data(),     q_.span()};
    const auto applyMatrix = [&](const int* done) {
        sweepUnless(done, device_, "viscosityProduct", count, neighbors.view(), multiply);
    };

    forEach(device_, "packViscosity", count + 1,
            PackViscosity{std::as_const(particles.x).span(), std::as_const(v).span(), volume.span(), body, fluids,
                          points_.span(), flow_.span(), p_.span()},
            2048);
    sweep(device_, "assembleViscosity", count, neighbors.view(),
          AssembleViscosity{{fluids, body},
                            BoundaryViscosity(boundary, materials),
                            materials.spline,
                            dt,
                            points_.data(),
                            flow_.data(),
                            pairs_.data(),
                            wall_.span(),
                            inverse_.span(),
                            b_.span()});
    const Norms norms = reduce(
        device_, "norms", count, Norms{},
        NormsOf{{preconditioner, std::as_const(b_).span()}, {std::as_const(v).span(), body, fluids}}, AddNorms{});
    // Without shear, b is only rounding error.
    constexpr double kRounding = 1e-7;
    const bool hasNoShear = !(norms.b2 > kRounding * kRounding * norms.v2);
    forEach(
        device_, "initialGuess", count,
        InitialGuess{std::as_const(particles.viscousChange.values).span(), fluids, body, change_.span(), p_.span()});
    if (hasNoShear) {
        change_.resize(0);
        change_.resize(count);
    } else {
        sweep(device_, "viscosityProduct", count, neighbors.view(), multiply);
        forEach(
            device_, "initialResidual", count,
            InitialResidual{std::as_const(b_).span(), std::as_const(q_).span(), preconditioner, r_.span(), p_.span()});
        const RelativeError error{norms.b2, double(params.maxViscosityError)};
        ConjugateGradients<Float4, BlockJacobi> cg{device_,   preconditioner, change_.span(),
                                                   r_.span(), q_.span(),      p_.span()};
        const ConjugateGradientState end = cg.solve(applyMatrix, error, params.maxViscosityIterations);
        report = {end.iterations, error.of(end)};
    }
    forEach(device_, "applyChange", count,
            ApplyChange{std::as_const(change_).span(), v.span(), particles.viscousChange.values.span()});
    return report;
}

}  // namespace purl
