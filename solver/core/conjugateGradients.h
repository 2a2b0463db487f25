// Preconditioned conjugate gradients for A x = b, with A symmetric and positive definite, and three numbers per point
// (Shewchuk 1994, section B3). Matrix-free: the caller multiplies by A. Scalar products are summed in doubles.
#pragma once
#include "solver/core/buffer.h"
#include "solver/core/forEach.h"
#include "solver/core/vec.h"

namespace purl {

PURL_HD inline double dotInDouble(Vec3 a, Vec3 b) {
    return double(a.x) * double(b.x) + double(a.y) * double(b.y) + double(a.z) * double(b.z);
}

// x, the residual r = b − A x, the search direction p, and A p. `Direction` is Vec3, or Float4
// for aligned loads. `Preconditioner` approximates A⁻¹ per point:
//     Vec3 apply(int i, Vec3 r)       z = M⁻¹ r
//     double energy(int i, Vec3 r)    r·M⁻¹ r
template <class Direction, class Preconditioner>
struct ConjugateGradients {
    Device device;
    Preconditioner preconditioner;
    Span<Vec3> x, r, ap;
    Span<Direction> p;
    int iterations = 0;
    double rz = 0;  // r·M⁻¹ r: the squared residual in the norm of the preconditioner

    double squaredResidual() const {
        return reduce(device, "squaredResidual", x.count, 0.0, SquaredResidual{preconditioner, r}, Sum{});
    }

    // Starts from x, r, p = M⁻¹ r and rz = squaredResidual(). `multiply` computes ap = A p; stops when converged(rz)
    // holds.
    template <class Multiply, class Converged>
    void solve(double initialRz, Multiply&& multiply, Converged&& converged, int maxIterations) {
        const int count = x.count;
        rz = initialRz;
        while (!converged(rz) && iterations < maxIterations) {
            multiply();
            const double pAp = reduce(device, "directionEnergy", count, 0.0, DirectionEnergy{p, ap}, Sum{});
            if (!(pAp > 0)) return;  // breakdown: A is not positive definite
            forEach(device, "advanceSolution", count, AdvanceSolution{static_cast<float>(rz / pAp), p, ap, x, r});
            const double before = rz;
            rz = squaredResidual();
            forEach(device, "updateDirection", count,
                    UpdateDirection{static_cast<float>(rz / before), preconditioner, r, p});
            ++iterations;
        }
    }

    // Kernels. Public, because nvcc accepts no private types.
    struct SquaredResidual {
        Preconditioner preconditioner;
        Span<const Vec3> r;
        PURL_HD double operator()(int i) const { return preconditioner.energy(i, r[i]); }
    };
    // p·A p
    struct DirectionEnergy {
        Span<const Direction> p;
        Span<const Vec3> ap;
        PURL_HD double operator()(int i) const { return dotInDouble(Vec3(p[i]), ap[i]); }
    };
    // x += α p, r −= α A p
    struct AdvanceSolution {
        float alpha;
        Span<const Direction> p;
        Span<const Vec3> ap;
        Span<Vec3> x, r;
        PURL_HD void operator()(int i) const {
            x[i] += alpha * Vec3(p[i]);
            r[i] -= alpha * ap[i];
        }
    };
    // p = M⁻¹ r + β p
    struct UpdateDirection {
        float beta;
        Preconditioner preconditioner;
        Span<const Vec3> r;
        Span<Direction> p;
        PURL_HD void operator()(int i) const {
            const Vec3 next = preconditioner.apply(i, r[i]) + beta * Vec3(p[i]);
            p[i] = {next.x, next.y, next.z};
        }
    };
};

}  // namespace purl
