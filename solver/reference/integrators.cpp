#include "solver/reference/integrators.h"

#include "solver/core/copy.h"
#include "solver/core/forEach.h"

namespace purl {
namespace {

struct FinishVerlet {
    float dt;
    Span<const Vec3> x, xBefore, a;
    Span<Vec3> v, vHalf;

    PURL_HD void operator()(int i) const {
        // u ≈ (r_t − r_{t−Δt})/Δt   4.64. If no contact moved the particle, this is the velocity of the move; using
        // that directly avoids the rounding error of a difference of positions.
        const Vec3 free = vHalf[i] + dt * a[i];
        const bool moved = x[i] != xBefore[i] + dt * free;
        v[i] = vHalf[i] = moved ? (x[i] - xBefore[i]) / dt : free;
    }
};

struct KickAndDrift {
    float dt;
    Span<const Vec3> v, a;
    Span<Vec3> x, xBefore, vNew;
    PURL_HD void operator()(int i) const {
        xBefore[i] = x[i];
        vNew[i] = v[i] + (0.5f * dt) * a[i];
        x[i] += dt * vNew[i];
    }
};

struct StoreVelocity {
    Span<const Vec3> vNew;
    Span<Vec3> v;
    PURL_HD void operator()(int i) const { v[i] = vNew[i]; }
};

struct Kick {
    float dt;
    Span<const Vec3> a;
    Span<Vec3> v;
    PURL_HD void operator()(int i) const { v[i] += (0.5f * dt) * a[i]; }
};

// A Runge–Kutta stage: accumulates the rates and computes the next stage from the beginning of the step.
struct RungeKuttaStage {
    float weight;   // of this stage's rates
    float forward;  // s, from the beginning of the step to the next stage
    Span<const Vec3> x0, v0;
    Span<const Vec3> a;
    Span<Vec3> x, v, xRate, vRate;
    PURL_HD void operator()(int i) const {
        xRate[i] += weight * v[i];
        vRate[i] += weight * a[i];
        x[i] = x0[i] + forward * v[i];
        v[i] = v0[i] + forward * a[i];
    }
};

struct RungeKuttaEnd {
    float dt;
    Span<const Vec3> x0, v0, xRate, vRate;
    Span<Vec3> x, v, a, vNew;
    PURL_HD void operator()(int i) const {
        x[i] = x0[i] + dt * xRate[i];
        vNew[i] = v0[i] + dt * vRate[i];
        v[i] = v0[i];
        a[i] = vRate[i];
    }
};

}  // namespace

void finishVerlet(Particles& particles, float dt, const Buffer<Vec3>& xBefore) {
    forEach(xBefore.device(), "finishVelocity", particles.count(),
            FinishVerlet{dt, particles.x.span(), xBefore.span(), particles.a.span(), particles.v.span(),
                         particles.vHalf.span()});
}

void kickAndDrift(Particles& particles, float dt, Buffer<Vec3>& xBefore, Buffer<Vec3>& vNew) {
    xBefore.resize(particles.count());
    vNew.resize(particles.count());
    forEach(vNew.device(), "kickAndDrift", particles.count(),
            KickAndDrift{dt, particles.v.span(), particles.a.span(), particles.x.span(), xBefore.span(), vNew.span()});
}

void storeVelocity(Particles& particles, const Buffer<Vec3>& vNew) {
    forEach(vNew.device(), "storeVelocity", particles.count(), StoreVelocity{vNew.span(), particles.v.span()});
}

void kick(Particles& particles, float dt) {
    forEach(particles.v.device(), "kick", particles.count(), Kick{dt, particles.a.span(), particles.v.span()});
}

void rungeKutta4(Particles& particles, float dt, const std::function<void(int)>& forces, RungeKutta& stages,
                 Buffer<Vec3>& xBefore, Buffer<Vec3>& vNew) {
    const Device& device = particles.x.device();
    const int count = particles.count();
    const float weights[4] = {1 / 6.0f, 1 / 3.0f, 1 / 3.0f, 1 / 6.0f};
    const float forward[4] = {0.5f * dt, 0.5f * dt, dt, 0};
    for (int stage = 0; stage < 4; ++stage) {
        forces(stage);
        if (stage == 0) {
            copyTo(xBefore, particles.x);
            copyTo(stages.v, particles.v);
            for (Buffer<Vec3>* sum : {&stages.xRate, &stages.vRate}) {
                sum->resize(0);
                sum->resize(count);  // all zero
            }
            vNew.resize(count);
        }
        forEach(device, "rungeKuttaStage", count,
                RungeKuttaStage{weights[stage], forward[stage], xBefore.span(), stages.v.span(), particles.a.span(),
                                particles.x.span(), particles.v.span(), stages.xRate.span(), stages.vRate.span()});
    }
    forEach(device, "rungeKuttaEnd", count,
            RungeKuttaEnd{dt, xBefore.span(), stages.v.span(), stages.xRate.span(), stages.vRate.span(),
                          particles.x.span(), particles.v.span(), particles.a.span(), vNew.span()});
}

// Particles move with the forces of the previous step; new forces are computed at the end of the step.
void stepVelocityVerlet(const FluidStep& s, const std::function<void()>& computeForces) {
    Particles& particles = s.particles();
    FluidMemory& memory = s.memory;
    const float dt = s.timing.dt;

    s.phase("integrate", [&] { kickAndDrift(particles, dt, memory.xBefore, memory.vNew); });
    s.phase("resolveContacts", [&] { s.resolveContacts(); });
    s.phase("storeVelocity", [&] { storeVelocity(particles, memory.vNew); });
    s.kill();
    s.begin();
    computeForces();
    s.phase("kick", [&] {
        kick(particles, dt);
        copyTo(memory.vNew, particles.v);
    });
    if (s.materials.implicitViscosity) s.phase("solveViscosity", [&] { s.solveImplicitViscosity(memory.vNew); });
    s.addPressureReaction();
    s.applyBoundaryFriction();
    s.phase("finishVelocity", [&] { storeVelocity(particles, memory.vNew); });
}

// Forces and neighbours are computed four times.
void stepRungeKutta4(const FluidStep& s, RungeKutta& stages, const std::function<void(float)>& computeForces) {
    Particles& particles = s.particles();
    FluidMemory& memory = s.memory;

    const auto forces = [&](int stage) {
        if (stage == 0)
            s.begin();
        else
            s.phase("findNeighbors", [&] {
                memory.neighbors.build(particles.x, s.materials.searchRadius);
                s.boundaries.findNeighbors(particles.x);
            });
        computeForces(stage == 0 || stage == 3 ? 1.0f / 6 : 1.0f / 3);
    };
    rungeKutta4(particles, s.timing.dt, forces, stages, memory.xBefore, memory.vNew);
    if (s.materials.implicitViscosity) s.phase("solveViscosity", [&] { s.solveImplicitViscosity(memory.vNew); });
    s.addPressureReaction();
    s.applyBoundaryFriction();
    s.phase("resolveContacts", [&] { s.resolveContacts(); });
    s.phase("finishVelocity", [&] { storeVelocity(particles, memory.vNew); });
    s.kill();
}

}  // namespace purl
