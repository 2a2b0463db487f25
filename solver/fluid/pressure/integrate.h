// Time integration: from accelerations to velocities and positions (Kelager §4.5). In two parts, because contacts are
// resolved in between: integrate moves the particles, finishVelocity then sets their velocities. Below: the building
// blocks of pbf and dfsph steps.
#pragma once
#include "solver/fluid/material.h"
#include "solver/particles.h"
#include "solver/scene.h"

namespace purl {

// Lengths of this step and of the last.
struct Timing {
    float dt = 0;            // s, of this step
    float lastStep = 0;      // s, of the step before; 0 if there was none
    int64_t firstNewId = 0;  // particles from this id on were emitted in this step
};

// Moves x; writes the velocities of the move into vNew and the positions before it into xBefore.
void integrate(Particles& particles, Integrator integrator, const Timing& timing, Buffer<Vec3>& xBefore,
               Buffer<Vec3>& vNew);

// predictVelocity writes the velocities that integrate would use into vNew; accelerateTo sets the accelerations with
// which it will use vNew instead. Implicit forces change vNew between the two.
void predictVelocity(const Particles& particles, Integrator integrator, const Timing& timing, Buffer<Vec3>& vNew);
void accelerateTo(Particles& particles, Integrator integrator, const Timing& timing, const Buffer<Vec3>& vNew);

// Sets v, and vHalf if used, from vNew, which contacts may have changed.
void finishVelocity(Particles& particles, Integrator integrator, const Buffer<Vec3>& vNew);

// vNew += Δt a
void accelerate(const Particles& particles, float dt, Buffer<Vec3>& vNew);
// x += Δt vNew; the old positions go into xBefore.
void move(Particles& particles, float dt, const Buffer<Vec3>& vNew, Buffer<Vec3>& xBefore);
// a = (vNew − v)/Δt, v = vNew
void storeVelocityAndAcceleration(Particles& particles, float dt, const Buffer<Vec3>& vNew);

// Positions and velocities after a step of gravity and fields alone, into xNext and vNew.
void predict(const Particles& particles, const Materials& materials, float dt, Buffer<Vec3>& xNext, Buffer<Vec3>& vNew);

// In two dimensions: sets z = 0, because collisions may have moved particles off the plane.
void projectToPlane(Buffer<Vec3>& vectors);

}  // namespace purl
