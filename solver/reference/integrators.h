// Time integration of wcsph by position Verlet, velocity Verlet and the classical Runge–Kutta method.
#pragma once
#include <functional>

#include "solver/fluid/pressure/fluidStep.h"

namespace purl {

// Position Verlet (Kelager 4.63, 4.64) moves particles as leap-frog does, with (x_t − x_{t−Δt})/Δt as the half
// velocity. Sets v and vHalf from positions, which contacts may have changed.
void finishVerlet(Particles& particles, float dt, const Buffer<Vec3>& xBefore);

// Velocity Verlet (Bayraktar 5.25) in three parts: the kick and drift that begin a step,
//     u_{t+½} = u_t + ½ Δt a_t,  r' = r + Δt u_{t+½}      into vNew and x, with the old positions in xBefore,
void kickAndDrift(Particles& particles, float dt, Buffer<Vec3>& xBefore, Buffer<Vec3>& vNew);
// the velocity for forces at the new positions,
void storeVelocity(Particles& particles, const Buffer<Vec3>& vNew);
// and the kick that ends it, once those forces are known:  u_{t+Δt} = u_{t+½} + ½ Δt a_{t+Δt}
void kick(Particles& particles, float dt);

// Memory between the four stages of the classical Runge–Kutta method.
struct RungeKutta {
    explicit RungeKutta(const Device& device) : v(device), xRate(device), vRate(device) {}
    Buffer<Vec3> v;             // m/s, at the step's beginning
    Buffer<Vec3> xRate, vRate;  // weighted sums of the stages' velocities and accelerations
};
// One step of fourth order: forces(stage) sets a from x and v, for stages 0 to 3; only stage 0 may reorder the
// particles. Moves x and writes vNew and xBefore as integrate does; v is unchanged, a becomes the mean acceleration of
// the step.
//     y' = y + Δt/6 (k₁ + 2 k₂ + 2 k₃ + k₄)   Bayraktar §5.6.1
void rungeKutta4(Particles& particles, float dt, const std::function<void(int)>& forces, RungeKutta& stages,
                 Buffer<Vec3>& xBefore, Buffer<Vec3>& vNew);

// A whole step of a fluid. `computeForces` sets a from x and v; its argument is the fraction of the step in which the
// accelerations act.
void stepVelocityVerlet(const FluidStep& step, const std::function<void()>& computeForces);
void stepRungeKutta4(const FluidStep& step, RungeKutta& stages, const std::function<void(float)>& computeForces);

}  // namespace purl
