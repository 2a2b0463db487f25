#include "solver/fluid/integrate.h"

#include "solver/core/forEach.h"

namespace purl {
namespace {

struct Integrate {
    Integrator integrator;
    Timing timing;
    Span<const Vec3> a, v;
    Span<const int64_t> id;
    Span<Vec3> x, vHalf, xBefore, vNew;

    PURL_HD void operator()(int i) const {
        const float dt = timing.dt;
        xBefore[i] = x[i];
        if (integrator == Integrator::semiImplicitEuler) {
            // u' = u + Δt a   4.61
            vNew[i] = v[i] + dt * a[i];
        } else {
            // The half velocity stands lastStep/2 behind x, of a new particle at x itself; the step wants it Δt/2
            // behind: u_{−½} = u₀ − ½ Δt a₀   4.67, and its like wherever the step's length changes.
            const float lag = id[i] >= timing.firstNewId ? 0 : timing.lastStep;
            if (lag != dt) vHalf[i] += (0.5f * (lag - dt)) * a[i];
            // u_{t+½} = u_{t−½} + Δt a   4.65; Verlet (4.63) is the same with (x_t − x_{t−Δt})/Δt for u_{t−½}
            vNew[i] = vHalf[i] + dt * a[i];
        }
        // r' = r + Δt u'   4.62, 4.66
        x[i] += dt * vNew[i];
    }
};

struct FinishVelocity {
    Integrator integrator;
    float dt;
    Span<const Vec3> x, xBefore, vNew, a;
    Span<Vec3> v, vHalf;

    PURL_HD void operator()(int i) const {
        if (integrator == Integrator::leapFrog) {
            // u_t ≈ ½ (u_{t−½} + u_{t+½})   4.68
            v[i] = 0.5f * (vHalf[i] + vNew[i]);
            vHalf[i] = vNew[i];
        } else if (integrator == Integrator::semiImplicitEuler) {
            v[i] = vHalf[i] = vNew[i];
        } else {
            // u ≈ (r_t − r_{t−Δt})/Δt   4.64. Where no contact moved it that is the velocity it moved with, without the
            // rounding of a difference of positions.
            const Vec3 free = vHalf[i] + dt * a[i];
            const bool moved = x[i] != xBefore[i] + dt * free;
            v[i] = vHalf[i] = moved ? (x[i] - xBefore[i]) / dt : free;
        }
    }
};

}  // namespace

void integrate(Particles& particles, Integrator integrator, const Timing& timing, Buffer<Vec3>& xBefore,
               Buffer<Vec3>& vNew) {
    xBefore.resize(particles.count());
    vNew.resize(particles.count());
    forEach(vNew.device(), "integrate", particles.count(),
            Integrate{integrator, timing, particles.a.span(), particles.v.span(), particles.id.span(),
                      particles.x.span(), particles.vHalf.span(), xBefore.span(), vNew.span()});
}

void finishVelocity(Particles& particles, Integrator integrator, const Timing& timing, const Buffer<Vec3>& xBefore,
                    const Buffer<Vec3>& vNew) {
    forEach(vNew.device(), "finishVelocity", particles.count(),
            FinishVelocity{integrator, timing.dt, particles.x.span(), xBefore.span(), vNew.span(), particles.a.span(),
                           particles.v.span(), particles.vHalf.span()});
}

}  // namespace purl
