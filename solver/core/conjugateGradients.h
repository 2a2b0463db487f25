// Preconditioned conjugate gradients for A x = b, with A symmetric and positive definite, and three numbers per point
// (Shewchuk 1994, section B3). Matrix-free: the caller multiplies by A. Scalar products are summed in doubles.
#pragma once
#include "solver/core/buffer.h"
#include "solver/core/copy.h"
#include "solver/core/forEach.h"
#include "solver/core/iterations.h"
#include "solver/core/vec.h"

namespace purl {

PURL_HD inline double dotInDouble(Vec3 a, Vec3 b) {
    return double(a.x) * double(b.x) + double(a.y) * double(b.y) + double(a.z) * double(b.z);
}

// The scalars of a solve, on the device. rz = r·M⁻¹ r is the squared residual in the norm of the preconditioner.
struct ConjugateGradientState : IterationState {
    float alpha = 0, beta = 0;
    double pAp = 0;  // of the search direction p
    double initialRz = 0, rz = 0, newRz = 0;
};

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

    // Starts from x, r and p = M⁻¹ r. multiply(done) computes ap = A p, or nothing if *done is set; it stops when
    // converged(state), a kernel's function, holds.
    template <class Multiply, class Converged>
    ConjugateGradientState solve(Multiply&& multiply, const Converged& converged, int maxIterations) {
        // Fewer are seldom enough; most solves end before the host looks for the third time.
        constexpr int kFirstBatch = 16;
        const int count = x.count;
        Buffer<ConjugateGradientState> states(device, 1, "scalars of conjugate gradients");
        ConjugateGradientState* const state = states.data();
        const int* const done = &state->done;
        setElements(states, 0, 1, ConjugateGradientState{});
        const auto squaredResidual = [&](double* rz) {
            reduceTo(rz, device, "squaredResidual", count, 0.0, SquaredResidual{preconditioner, r}, Sum{});
        };
        squaredResidual(&state->rz);
        forEach(device, "beginSolve", 1, Begin<Converged>{converged, state});
        if (device.isCpu() && *done) return *state;
        int expected = kFirstBatch;
        return iterate(states, maxIterations, expected, [&] {
            multiply(done);
            reduceTo(&state->pAp, device, "directionEnergy", count, 0.0, DirectionEnergy{p, ap}, Sum{});
            forEach(device, "setStepLength", 1, SetAlpha{state});
            forEachUnless(done, device, "advanceSolution", count, AdvanceSolution{&state->alpha, p, ap, x, r});
            squaredResidual(&state->newRz);
            forEach(device, "endIteration", 1, End<Converged>{converged, state});
            forEachUnless(done, device, "updateDirection", count, UpdateDirection{&state->beta, preconditioner, r, p});
        });
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
    template <class Converged>
    struct Begin {
        Converged converged;
        ConjugateGradientState* state;
        PURL_HD void operator()(int) const {
            state->initialRz = state->rz;
            state->done = converged(*state);
        }
    };
    // α = rz / p·A p
    struct SetAlpha {
        ConjugateGradientState* state;
        PURL_HD void operator()(int) const {
            if (state->done) return;
            // Breakdown: A is not positive definite.
            if (!(state->pAp > 0))
                state->done = 1;
            else
                state->alpha = static_cast<float>(state->rz / state->pAp);
        }
    };
    // x += α p, r −= α A p
    struct AdvanceSolution {
        const float* alpha;
        Span<const Direction> p;
        Span<const Vec3> ap;
        Span<Vec3> x, r;
        PURL_HD void operator()(int i) const {
            const float a = *alpha;
            x[i] += a * Vec3(p[i]);
            r[i] -= a * ap[i];
        }
    };
    // β = rz′ / rz
    template <class Converged>
    struct End {
        Converged converged;
        ConjugateGradientState* state;
        PURL_HD void operator()(int) const {
            if (state->done) return;
            state->beta = static_cast<float>(state->newRz / state->rz);
            state->rz = state->newRz;
            ++state->iterations;
            state->done = converged(*state);
        }
    };
    // p = M⁻¹ r + β p
    struct UpdateDirection {
        const float* beta;
        Preconditioner preconditioner;
        Span<const Vec3> r;
        Span<Direction> p;
        PURL_HD void operator()(int i) const {
            const Vec3 next = preconditioner.apply(i, r[i]) + *beta * Vec3(p[i]);
            p[i] = {next.x, next.y, next.z};
        }
    };
};

}  // namespace purl
