#include "solver/fluid/mixing.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/core/forEach.h"

namespace purl {

void takeUpColors(Particles& particles, const Materials& materials) {
    const int width = materials.colored ? 3 : 0;
    if (particles.color.width == width) return;
    particles.x.device().synchronize();
    particles.color.widen(width, particles.count());
    for (int i = 0; width > 0 && i < particles.count(); ++i)
        for (int k = 0; k < 3; ++k)
            particles.color.values[3 * i + k] = materials.fluids[particles.body[i]].params.color[k];
}

void disperse(Particles& particles, const Neighbors& neighbors, const Materials& materials, float dt) {
    const Device& device = particles.x.device();
    // −Σ 2 D V W′/r over a full neighbourhood is 24 D/h², in 2D 23. A particle that exchanges at most half of its
    // colour in a substep creates no new extrema.
    const double h = materials.spline.h, exchange = 24 * double(materials.dispersion) / (h * h) * double(dt);
    // What would need more substeps is practically mixed after this many.
    constexpr double kMaxSteps = 1000;
    const double neededSteps = std::max(1.0, std::ceil(2 * exchange));
    const int steps = static_cast<int>(std::min(kMaxSteps, neededSteps));
    const float substep = dt / static_cast<float>(neededSteps);
    Buffer<float> mixed(device, particles.color.values.size());
    for (int k = 0; k < steps; ++k) {
        forEach(device, "disperse", particles.count(),
                Disperse{neighbors.view(), materials.spline, materials.fluids.span(), particles.body.span(), substep,
                         std::as_const(particles.color.values).span(), mixed.span()});
        std::swap(particles.color.values, mixed);
    }
    device.synchronize();
}

}  // namespace purl
