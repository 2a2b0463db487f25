#include "solver/fluid/pressure/integrate.h"

#include "solver/core/forEach.h"
#include "solver/fluid/external.h"

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
            // vHalf lags lastStep/2 behind x, for a new particle not at all; the step needs a lag of Δt/2: u_{−½} = u₀
            // − ½ Δt a₀   4.67, and likewise whenever the step length changes.
            const float lag = id[i] >= timing.firstNewId ? 0 : timing.lastStep;
            if (lag != dt) vHalf[i] += (0.5f * (lag - dt)) * a[i];
            // u_{t+½} = u_{t−½} + Δt a   4.65
            vNew[i] = vHalf[i] + dt * a[i];
        }
        // r' = r + Δt u'   4.62, 4.66
        x[i] += dt * vNew[i];
    }
};

// vNew = u + s a, as in Integrate.
struct VelocityUpdate {
    Integrator integrator;
    Timing timing;
    Span<const Vec3> v, vHalf;
    Span<const int64_t> id;

    PURL_HD Vec3 u(int i) const { return integrator == Integrator::semiImplicitEuler ? v[i] : vHalf[i]; }
    PURL_HD float s(int i) const {
        if (integrator == Integrator::semiImplicitEuler) return timing.dt;
        return 0.5f * ((id[i] >= timing.firstNewId ? 0 : timing.lastStep) + timing.dt);
    }
};
struct PredictVelocity {
    VelocityUpdate update;
    Span<const Vec3> a;
    Span<Vec3> vNew;
    PURL_HD void operator()(int i) const { vNew[i] = update.u(i) + update.s(i) * a[i]; }
};
struct AccelerateTo {
    VelocityUpdate update;
    Span<const Vec3> vNew;
    Span<Vec3> a;
    PURL_HD void operator()(int i) const { a[i] = (vNew[i] - update.u(i)) / update.s(i); }
};

struct FinishVelocity {
    Integrator integrator;
    Span<const Vec3> vNew;
    Span<Vec3> v, vHalf;

    PURL_HD void operator()(int i) const {
        if (integrator == Integrator::leapFrog) {
            // u_t ≈ ½ (u_{t−½} + u_{t+½})   4.68
            v[i] = 0.5f * (vHalf[i] + vNew[i]);
            vHalf[i] = vNew[i];
        } else {
            v[i] = vNew[i];
        }
    }
};

struct AccelerateBy {
    float dt;
    Span<const Vec3> a;
    Span<Vec3> vNew;
    PURL_HD void operator()(int i) const { vNew[i] += dt * a[i]; }
};

struct Move {
    float dt;
    Span<const Vec3> vNew;
    Span<Vec3> x, xBefore;
    PURL_HD void operator()(int i) const {
        xBefore[i] = x[i];
        x[i] += dt * vNew[i];
    }
};

struct StoreVelocityAndAcceleration {
    float dt;
    Span<const Vec3> vNew;
    Span<Vec3> v, a;
    PURL_HD void operator()(int i) const {
        a[i] = (vNew[i] - v[i]) / dt;
        v[i] = vNew[i];
    }
};

struct Predict {
    float dt;
    Vec3 gravity;
    Span<const FieldConstants> fields;
    Span<const FluidConstants> fluids;
    Span<const int> body;
    Span<const float> density;
    Span<const Vec3> x, v;
    Span<Vec3> xNext, vNew;
    PURL_HD void operator()(int i) const {
        const FluidConstants& fluid = fluids[body[i]];
        const float known = density[i] > 0 ? density[i] : fluid.restDensity;  // zero for a new particle
        vNew[i] = v[i] + dt * (weightAtRest(fluid, known, gravity) + fieldsAt(x[i], fields));
        xNext[i] = x[i] + dt * vNew[i];
    }
};

struct ProjectToPlane {
    Span<Vec3> vectors;
    PURL_HD void operator()(int i) const { vectors[i].z = 0; }
};

}  // namespace

void projectToPlane(Buffer<Vec3>& vectors) {
    forEach(vectors.device(), "projectToPlane", vectors.size(), ProjectToPlane{vectors.span()});
}

void accelerate(const Particles& particles, float dt, Buffer<Vec3>& vNew) {
    forEach(vNew.device(), "accelerate", particles.count(), AccelerateBy{dt, particles.a.span(), vNew.span()});
}

void move(Particles& particles, float dt, const Buffer<Vec3>& vNew, Buffer<Vec3>& xBefore) {
    xBefore.resize(particles.count());
    forEach(vNew.device(), "move", particles.count(), Move{dt, vNew.span(), particles.x.span(), xBefore.span()});
}

void storeVelocityAndAcceleration(Particles& particles, float dt, const Buffer<Vec3>& vNew) {
    forEach(vNew.device(), "storeVelocityAndAcceleration", particles.count(),
            StoreVelocityAndAcceleration{dt, vNew.span(), particles.v.span(), particles.a.span()});
}

void predict(const Particles& particles, const Materials& materials, float dt, Buffer<Vec3>& xNext,
             Buffer<Vec3>& vNew) {
    xNext.resize(particles.count());
    vNew.resize(particles.count());
    forEach(vNew.device(), "predict", particles.count(),
            Predict{dt, materials.gravity, materials.fields.span(), materials.fluids.span(), particles.body.span(),
                    particles.density.span(), particles.x.span(), particles.v.span(), xNext.span(), vNew.span()});
}

void integrate(Particles& particles, Integrator integrator, const Timing& timing, Buffer<Vec3>& xBefore,
               Buffer<Vec3>& vNew) {
    xBefore.resize(particles.count());
    vNew.resize(particles.count());
    forEach(vNew.device(), "integrate", particles.count(),
            Integrate{integrator, timing, particles.a.span(), particles.v.span(), particles.id.span(),
                      particles.x.span(), particles.vHalf.span(), xBefore.span(), vNew.span()});
}

void predictVelocity(const Particles& particles, Integrator integrator, const Timing& timing, Buffer<Vec3>& vNew) {
    vNew.resize(particles.count());
    forEach(vNew.device(), "predictVelocity", particles.count(),
            PredictVelocity{{integrator, timing, particles.v.span(), particles.vHalf.span(), particles.id.span()},
                            particles.a.span(),
                            vNew.span()});
}

void accelerateTo(Particles& particles, Integrator integrator, const Timing& timing, const Buffer<Vec3>& vNew) {
    forEach(vNew.device(), "accelerateTo", particles.count(),
            AccelerateTo{{integrator, timing, std::as_const(particles.v).span(), std::as_const(particles.vHalf).span(),
                          std::as_const(particles.id).span()},
                         vNew.span(),
                         particles.a.span()});
}

void finishVelocity(Particles& particles, Integrator integrator, const Buffer<Vec3>& vNew) {
    forEach(vNew.device(), "finishVelocity", particles.count(),
            FinishVelocity{integrator, vNew.span(), particles.v.span(), particles.vHalf.span()});
}

}  // namespace purl
