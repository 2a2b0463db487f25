// Periodic boundaries by ghost particles. Before a step, particles near a side of the box are copied beyond the
// opposite side, so that every neighbour search and force finds them there; after the step the ghosts are removed. The
// ghost layer is wide enough that its missing outer neighbours do not affect the inside.
#pragma once
#include "solver/particles.h"
#include "solver/scene.h"

namespace purl {

struct PeriodicBox {
    Vec3 low;
    Vec3 size;  // m; 0: open along this axis

    bool any() const { return size.x > 0 || size.y > 0 || size.z > 0; }
    // The periodic image of x inside the box.
    Vec3 wrapped(Vec3 x) const;
};
PeriodicBox makePeriodicBox(const SolverParams& params);

// Wraps particles that left the box to the other side.
void wrap(Particles& particles, const PeriodicBox& box);
// Appends ghosts, with negative ids, of all particles within `reach` of a side. Throws Error if the box is narrower
// than that.
void addGhosts(Particles& particles, const PeriodicBox& box, float reach);
// Removes all particles with negative ids.
void removeGhosts(Particles& particles);

}  // namespace purl
