#include "solver/fluid/forces.h"

#include "solver/core/forEach.h"

namespace purl {

void applyForces(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                 const Buffer<float>& volume) {
    Forces forces;
    forces.neighbors = neighbors.view();
    forces.fluids = materials.fluids.span();
    forces.fields = materials.fields.span();
    forces.gravity = materials.gravity;
    forces.body = particles.body.span();
    forces.v = particles.v.span();
    forces.density = particles.density.span();
    forces.pressure = particles.pressure.span();
    forces.volume = volume.span();
    forces.a = particles.a.span();
    forces.normal = particles.normal.span();
    forEach(volume.device(), "forces", particles.count(), forces);
}

}  // namespace purl
