// Periodic boundaries: what leaves the box on one side comes in on the other, and sees across. Before a step the
// particles near a side are copied to beyond the opposite one, so that every search and force finds them there; after
// the step the copies go. Copies reach so far that what they lack beyond their own rim does not matter inside.
#pragma once
#include "solver/particles.h"
#include "solver/scene.h"

namespace purl {

struct PeriodicBox {
    Vec3 low;
    Vec3 size;  // m; 0: open along this axis

    bool any() const { return size.x > 0 || size.y > 0 || size.z > 0; }
    // Where x comes in again.
    Vec3 wrapped(Vec3 x) const;
};
PeriodicBox periodicBoxOf(const SolverParams& params);

// Puts particles that left the box in at the other side.
void wrap(Particles& particles, const PeriodicBox& box);
// Appends copies, with ids below zero, of all particles within `reach` of a side. Throws Error on a box narrower than
// that.
void addCopies(Particles& particles, const PeriodicBox& box, float reach);
// Deletes what has an id below zero.
void dropCopies(Particles& particles);

}  // namespace purl
