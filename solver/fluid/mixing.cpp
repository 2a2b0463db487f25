#include "solver/fluid/mixing.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/core/forEach.h"

namespace purl {
namespace {

struct TakeUpColors {
    Span<const FluidConstants> fluids;
    Span<const int> body;
    Span<float> values;
    PURL_HD void operator()(int i) const {
        for (int k = 0; k < 3; ++k) values[3 * i + k] = fluids[body[i]].params.color[k];
    }
};

}  // namespace

void takeUpColors(Particles& particles, const Materials& materials) {
    const int width = materials.colored ? 3 : 0;
    if (particles.color.width == width) return;
    particles.color.widen(width, particles.count());
    if (width > 0)
        forEach(particles.x.device(), "takeUpColors", particles.count(),
                TakeUpColors{materials.fluids.span(), particles.body.span(), particles.color.values.span()}, 2048);
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
}

}  // namespace purl
