// Time integration: from accelerations to velocities and positions (Kelager §4.5). In two halves, for contacts come
// between: integrate moves the particles, finishVelocity draws the conclusion once contacts have had their say. Below,
// the smaller pieces that pbf and dfsph step by.
#pragma once
#include "solver/fluid/material.h"
#include "solver/particles.h"
#include "solver/scene.h"

namespace purl {

// What a step knows of time.
struct Timing {
    float dt = 0;            // s, of this step
    float lastStep = 0;      // s, of the step before; 0 if there was none
    int64_t firstNewId = 0;  // particles from this id on came in with this step
};

// Moves x and writes the velocity they moved with into vNew, and where they came from into xBefore.
void integrate(Particles& particles, Integrator integrator, const Timing& timing, Buffer<Vec3>& xBefore,
               Buffer<Vec3>& vNew);

// The velocity that integrate would move them with, into vNew; and the acceleration by which it will move them with
// vNew instead. Between the two implicit forces have their say.
void foreseeVelocity(const Particles& particles, Integrator integrator, const Timing& timing, Buffer<Vec3>& vNew);
void accelerateTo(Particles& particles, Integrator integrator, const Timing& timing, const Buffer<Vec3>& vNew);

// Sets v, and vHalf where there is one, from vNew, which contacts may have edited (or from x, for Verlet: there
// contacts edit positions).
void finishVelocity(Particles& particles, Integrator integrator, const Timing& timing, const Buffer<Vec3>& xBefore,
                    const Buffer<Vec3>& vNew);

// vNew += Δt a
void accelerate(const Particles& particles, float dt, Buffer<Vec3>& vNew);
// x += Δt vNew; where they came from into xBefore.
void move(Particles& particles, float dt, const Buffer<Vec3>& vNew, Buffer<Vec3>& xBefore);
// a = (vNew − v)/Δt, v = vNew
void takeVelocity(Particles& particles, float dt, const Buffer<Vec3>& vNew);

// Where weight and fields would take the particles if they were all by themselves, into xNext, and with what velocity.
void predict(const Particles& particles, const Materials& materials, float dt, Buffer<Vec3>& xNext, Buffer<Vec3>& vNew);

}  // namespace purl
