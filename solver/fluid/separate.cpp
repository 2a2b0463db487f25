#include "solver/fluid/separate.h"

#include "solver/core/forEach.h"
#include "solver/core/random.h"

namespace purl {
namespace {

struct Coincides {
    Neighbors::View neighbors;
    Span<const int64_t> id;
    int64_t firstNewId;

    PURL_HD int operator()(int i) const {
        if (id[i] < firstNewId) return 0;
        int found = 0;
        neighbors.forEach(i, [&](int j, Vec3, float r2) {
            if (r2 == 0 && id[j] < id[i]) found = 1;
        });
        return found;
    }
};

struct MoveAside {
    Coincides coincides;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    Span<Vec3> xMoved;

    PURL_HD void operator()(int i) const {
        xMoved[i] = coincides.neighbors.x[i];
        if (!coincides(i)) return;
        const FluidConstants& fluid = fluids[body[i]];
        const auto seed = static_cast<uint64_t>(coincides.id[i]);
        const Vec3 random{randomUnit(seed, 0) - 0.5f, randomUnit(seed, 1) - 0.5f, randomUnit(seed, 2) - 0.5f};
        const Vec3 aside = fluid.dimensions == 3 ? random : Vec3{random.x, random.y, 0};
        xMoved[i] += (1e-3f * fluid.spacing) * normalized(aside);
    }
};

struct CopyPoints {
    Span<const Vec3> from;
    Span<Vec3> to;
    PURL_HD void operator()(int i) const { to[i] = from[i]; }
};

}  // namespace

int separateCoincident(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                       int64_t firstNewId) {
    const Device& device = particles.x.device();
    const int count = particles.count();
    const Coincides coincides{neighbors.view(), std::as_const(particles.id).span(), firstNewId};
    const int found = reduce(device, "coincident", count, 0, coincides, Sum{});
    if (found == 0) return 0;
    // Double buffered: no particle may move while others still test against it.
    Buffer<Vec3> moved(device, count);
    forEach(device, "moveAside", count,
            MoveAside{coincides, std::as_const(particles.body).span(), materials.fluids.span(), moved.span()});
    forEach(device, "copyPoints", count, CopyPoints{std::as_const(moved).span(), particles.x.span()});
    return found;
}

}  // namespace purl
