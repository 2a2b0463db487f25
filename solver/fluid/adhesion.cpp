#include "solver/fluid/adhesion.h"

#include "solver/core/forEach.h"

namespace purl {

void applyAdhesion(Particles& particles, const Colliders& colliders, const Materials& materials) {
    forEach(particles.x.device(), "adhesion", particles.count(),
            Adhesion{colliders.onDevice(), materials.fluids.span(), particles.body.span(),
                     std::as_const(particles.x).span(), particles.a.span()});
}

}  // namespace purl
