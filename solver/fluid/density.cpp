#include "solver/fluid/density.h"

#include "solver/core/traffic.h"

namespace purl {
namespace {

// The last index is the padding element's.
struct PackRestVolumes {
    Span<const Vec3> x;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    Span<Float4> points;
    PURL_HD void operator()(int i) const {
        if (i == x.count) {
            points[i] = kNobody4;
            return;
        }
        const FluidConstants& fluid = fluids[body[i]];
        points[i] = {x[i].x, x[i].y, x[i].z, fluid.mass * fluid.inverseRestDensity};
    }
};

}  // namespace

void computeDensity(Particles& particles, const Neighbors& neighbors, const Materials& materials, Buffer<float>& volume,
                    LaneMemory& memory) {
    const Device& device = volume.device();
    const int count = particles.count();
    volume.resize(count);
    memory.resizeDiscard(count);
    const Span<const int> body = std::as_const(particles.body).span();
    const Span<const FluidConstants> fluids = materials.fluids.span();
    expectTraffic((16.0 + 32) * count);
    forEach(device, "packRestVolumes", count + 1,
            PackRestVolumes{std::as_const(particles.x).span(), body, fluids, {memory.points.data(), count + 1}}, 2048);
    forEachDensityKernel(materials, [&](auto w) {
        // Reads neighbour lists with their offsets and counts, and points; writes three floats per particle.
        expectTraffic(4.0 * neighbors.listSize() + (8 + 16 + 24.0) * count);
        sweep(device, "density", count, neighbors.view(),
              DensitySweep<decltype(w)>{body, fluids, memory.points.data(), particles.density.span(),
                                        particles.pressure.span(), volume.span()});
    });
}

}  // namespace purl
