#include "solver/fluid/implicitViscosity.h"

#include <cmath>

#include "solver/core/conjugateGradients.h"
#include "solver/fluid/boundaryViscosity.h"
#include "solver/fluid/pressure/pressureLanes.h"

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
                            W.gradientFactor(std::sqrt(r2)) / (r2 + kViscositySoftening * W.h * W.h);
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
        const Vec3 xi = Vec3(points[i]), pi = Vec3(p[i]);
        const int* const list = neighbors.begin(i);
        const float* const resistance = pairs.data + (list - neighbors.indices);
        Vec3 sum;
        for (int n = 0, count = neighbors.count(i); n < count; ++n) {
            const Vec3 d = xi - Vec3(points[list[n]]);
            sum += (resistance[n] * dot(d, pi - Vec3(p[list[n]]))) * d;
        }
        finish(i, sum);
    }
    PURL_HD void finish(int i, Vec3 sum) const {
        // Particles of other models are not solved for: their p and q stay 0.
        const FluidConstants& fluid = fluids[body[i]];
        q[i] = isImplicit(fluid) ? (fluid.mass + wall[i]) * Vec3(p[i]) + sum : Vec3{};
    }
};

#ifdef __AVX2__
struct MultiplyLanes {
    const Multiply& plain;

    void operator()(int i) const {
        const Vec3 xi = Vec3(plain.points[i]), pi = Vec3(plain.p[i]);
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

ImplicitViscosity::ImplicitViscosity(const Device& device, bool tuned)
    : device_(device),
      tuned_(tuned && device.isCpu()),
      pairs_(device, "implicitViscosity.pairs"),
      wall_(device, "implicitViscosity.wall"),
      inverse_(device, "implicitViscosity.inverse"),
      points_(device, "implicitViscosity.points"),
      p_(device, "implicitViscosity.p"),
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
    pairs_.resize(neighbors.listSize());
    wall_.resize(count);
    inverse_.resize(6 * count);
    points_.resize(count + 1);
    p_.resize(count + 1);
    setElements(points_, count, 1, kNobody4);
    setElements(p_, count, 1, Float4{});
    for (Buffer<Vec3>* vectors : {&b_, &r_, &q_, &change_}) vectors->resize(count);

    const Span<const FluidConstants> fluids = materials.fluids.span();
    const Span<const int> body = std::as_const(particles.body).span();
    const BlockJacobi preconditioner{std::as_const(inverse_).span()};
    const Multiply multiply{neighbors.view(),
                            fluids,
                            body,
                            std::as_const(pairs_).span(),
                            std::as_const(wall_).span(),
                            std::as_const(points_).span(),
                            std::as_const(p_).span(),
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
    const double bNorm2 = reduce(device_, "viscosityNorm", count, 0.0,
                                 PreconditionedNorm{preconditioner, std::as_const(b_).span()}, Sum{});
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
        forEach(
            device_, "initialResidual", count,
            InitialResidual{std::as_const(b_).span(), std::as_const(q_).span(), preconditioner, r_.span(), p_.span()});
        const auto error = [&](double rz) { return 100 * std::sqrt(rz / bNorm2); };
        ConjugateGradients<Float4, BlockJacobi> cg{device_,   preconditioner, change_.span(),
                                                   r_.span(), q_.span(),      p_.span()};
        cg.solve(
            cg.squaredResidual(), applyMatrix,
            [&](double rz) { return !(error(rz) > double(params.maxViscosityError)); }, params.maxViscosityIterations);
        report = {cg.iterations, error(cg.rz)};
    }
    forEach(device_, "applyChange", count,
            ApplyChange{std::as_const(change_).span(), v.span(), particles.viscousChange.values.span()});
    return report;
}

}  // namespace purl
