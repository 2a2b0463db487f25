// Time integration: from accelerations to velocities and positions (Kelager §4.5). In two halves, for contacts come
// between: integrate moves the particles, finishVelocity draws the conclusion once contacts have had their say.
#pragma once
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

// Sets v and vHalf from vNew, which contacts may have edited (or from x, for Verlet: there contacts edit positions).
void finishVelocity(Particles& particles, Integrator integrator, const Timing& timing, const Buffer<Vec3>& xBefore,
                    const Buffer<Vec3>& vNew);

}  // namespace purl
