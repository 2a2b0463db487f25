#include "solver/fluid/density.h"

#include "solver/core/forEach.h"

namespace purl {

void computeDensity(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                    Buffer<float>& volume) {
    volume.resize(particles.count());
    forEach(volume.device(), "density", particles.count(),
            Density{neighbors.view(), particles.body.span(), materials.fluids.span(), particles.density.span(),
                    particles.pressure.span(), volume.span()});
}

}  // namespace purl
