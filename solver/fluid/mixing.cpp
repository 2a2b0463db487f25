#include "solver/fluid/mixing.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace purl {
namespace {

// The last index is the padding element's.
struct PackColors {
    Span<const Vec3> x;
    Span<const float> color;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    Float4 *points, *to;
    PURL_HD void operator()(int i) const {
        if (i == x.count) {
            points[i] = kNobody4;
            to[i] = {0, 0, 0, 0};
            return;
        }
        const FluidConstants& fluid = fluids[body[i]];
        points[i] = {x[i].x, x[i].y, x[i].z, fluid.mass * fluid.inverseRestDensity};
        to[i] = {color[3 * i], color[3 * i + 1], color[3 * i + 2], fluid.params.dispersion};
    }
};

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

void disperse(Particles& particles, const Neighbors& neighbors, const Materials& materials, float dt,
              LaneMemory& memory) {
    const Device& device = particles.x.device();
    // −Σ 2 D V W′/r over a full neighbourhood is 24 D/h², in 2D 23. A particle that exchanges at most half of its
    // colour in a substep creates no new extrema.
    const double h = materials.spline.h, exchange = 24 * double(materials.dispersion) / (h * h) * double(dt);
    // What would need more substeps is practically mixed after this many.
    constexpr double kMaxSteps = 1000;
    const double neededSteps = std::max(1.0, std::ceil(2 * exchange));
    const int steps = static_cast<int>(std::min(kMaxSteps, neededSteps));
    const float substep = dt / static_cast<float>(neededSteps);
    const int count = particles.count();
    const Span<const int> body = std::as_const(particles.body).span();
    memory.resizeDiscard(count);
    for (int k = 0; k < steps; ++k) {
        forEach(device, "packColors", count + 1,
                PackColors{std::as_const(particles.x).span(), std::as_const(particles.color.values).span(), body,
                           materials.fluids.span(), memory.points.data(), memory.flow()},
                2048);
        sweep(device, "disperse", count, neighbors.view(),
              DisperseSweep{materials.spline, substep, memory.points.data(), memory.flow(),
                            particles.color.values.span()});
    }
}

}  // namespace purl
