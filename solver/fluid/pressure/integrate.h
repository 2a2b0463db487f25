// Time integration: from accelerations to velocities and positions (Kelager §4.5). In two halves, because contacts come
// between: integrate moves the particles, finishVelocity sets their velocities once contacts are resolved. Below, the
// smaller pieces that pbf and dfsph step by.
#pragma once
#include "solver/fluid/material.h"
#include "solver/particles.h"
#include "solver/scene.h"

namespace purl {

// Lengths of this step and of the last.
struct Timing {
    float dt = 0;            // s, of this step
    float lastStep = 0;      // s, of the step before; 0 if there was none
    int64_t firstNewId = 0;  // particles from this id on came in with this step
};

// Moves x and writes the velocity they moved with into vNew, and where they came from into xBefore.
void integrate(Particles& particles, Integrator integrator, const Timing& timing, Buffer<Vec3>& xBefore,
               Buffer<Vec3>& vNew);

// The velocity that integrate would move them with, into vNew; and the acceleration by which it will move them with
// vNew instead. Implicit forces act between the two.
void predictVelocity(const Particles& particles, Integrator integrator, const Timing& timing, Buffer<Vec3>& vNew);
void accelerateTo(Particles& particles, Integrator integrator, const Timing& timing, const Buffer<Vec3>& vNew);

// Sets v, and vHalf where there is one, from vNew, which contacts may have edited.
void finishVelocity(Particles& particles, Integrator integrator, const Buffer<Vec3>& vNew);

// vNew += Δt a
void accelerate(const Particles& particles, float dt, Buffer<Vec3>& vNew);
// x += Δt vNew; where they came from into xBefore.
void move(Particles& particles, float dt, const Buffer<Vec3>& vNew, Buffer<Vec3>& xBefore);
// a = (vNew − v)/Δt, v = vNew
void takeVelocity(Particles& particles, float dt, const Buffer<Vec3>& vNew);

// Where weight and fields would take the particles if they were all by themselves, into xNext, and with what velocity.
void predict(const Particles& particles, const Materials& materials, float dt, Buffer<Vec3>& xNext, Buffer<Vec3>& vNew);

// In two dimensions: what colliders pushed off the plane z = 0, or along z, comes back.
void holdInPlane(Buffer<Vec3>& vectors);

}  // namespace purl
