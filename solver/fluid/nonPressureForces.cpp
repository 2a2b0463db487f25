#include "solver/fluid/nonPressureForces.h"

#include "solver/core/traffic.h"
#include "solver/reference/curvature.h"

namespace purl {
namespace {

// The last index is the padding element's.
struct PackTraits {
    Span<const int> body;
    Span<const FluidConstants> fluids;
    Span<Float4> traits;
    PURL_HD void operator()(int i) const {
        if (i == body.count) {
            traits[i] = {};
            return;
        }
        const FluidConstants& fluid = fluids[body[i]];
        traits[i] = {fluid.mass, fluid.restDensity, viscosityBeside(fluid), isFractional(fluid) ? 1.0f : 0.0f};
    }
};
struct PackVectors {
    Span<const Vec3> from;
    Span<Float4> to;
    PURL_HD void operator()(int i) const {
        to[i] = i < from.count ? Float4{from[i].x, from[i].y, from[i].z, 0} : Float4{};
    }
};

}  // namespace

void applyNonPressureForces(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                            const Materials& materials, const SolverParams& params, float dt, Gravity gravity,
                            const Buffer<Vec3>& v, const Buffer<float>& volume, LaneMemory& memory,
                            Span<const Vec3> past) {
    const Device& device = volume.device();
    const int count = particles.count();
    const bool several = materials.fluids.size() > 1, fractional = past.count > 0 && materials.fractional;
    const float xsphRate = dt > 0 ? params.xsph / dt : 0;
    packFlow(device, std::as_const(particles.x).span(), v.span(), volume.span(), memory);
    if (several) {
        memory.traits.resizeDiscard(count + 1);
        forEach(device, "packTraits", count + 1,
                PackTraits{std::as_const(particles.body).span(), materials.fluids.span(), memory.traits.span()}, 2048);
    }
    if (fractional) {
        memory.past.resizeDiscard(count + 1);
        forEach(device, "packPast", count + 1, PackVectors{past, memory.past.span()}, 2048);
    }
    const auto run = [&](auto forces) {
        forces.points = memory.points.data();
        forces.flow = memory.flow();
        forces.traits = memory.traits.data();
        forces.past = memory.past.data();
        forces.hasBoundary = boundary && !boundary->empty();
        forces.boundary = forces.hasBoundary ? boundary->view() : Boundary::View{};
        forces.W = materials.spline;
        forces.wallW = materials.wallSpline;
        forces.wallShare = materials.wallShare;
        forces.fluids = materials.fluids.span();
        forces.fields = materials.fields.span();
        forces.gravity = materials.gravity;
        forces.includeGravity = gravity == Gravity::include;
        forces.xsphRate = xsphRate;
        forces.body = particles.body.span();
        forces.density = particles.density.span();
        forces.volume = volume.span();
        forces.a = particles.a.span();
        forces.normal = particles.normal.span();
        if (materials.cohesive) forces.gradient = roomForGradients(memory, count);
        // Reads neighbour lists with their offsets and counts, points and flow; writes acceleration and normal.
        expectTraffic(4.0 * neighbors.listSize() +
                      (8 + 32 + (several ? 16 : 0) + (fractional ? 16 : 0) + 4 + 48.0) * count);
        sweep(device, "nonPressureForces", count, neighbors.view(), forces);
    };
    const auto runBlended = [&](auto isSeveral, auto isFractional) {
        if (xsphRate > 0)
            run(NonPressureSweep<isSeveral, isFractional, true>());
        else
            run(NonPressureSweep<isSeveral, isFractional, false>());
    };
    using Yes = std::true_type;
    using No = std::false_type;
    if (several)
        fractional ? runBlended(Yes(), Yes()) : runBlended(Yes(), No());
    else
        fractional ? runBlended(No(), Yes()) : runBlended(No(), No());
    if (materials.curved) applyCurvatureTension(particles, neighbors, boundary, materials, memory);

    if (!(params.vorticityConfinement > 0)) return;
    memory.omega.resizeDiscard(count + 1);
    forEach(device, "clearPadding", 1, ClearRow{memory.omega.data() + count});
    sweep(device, "vorticity", count, neighbors.view(),
          VorticitySweep{materials.spline, memory.points.data(), memory.flow(), memory.omega.data()});
    sweep(device, "confineVorticity", count, neighbors.view(),
          ConfinementSweep{materials.spline, params.vorticityConfinement, memory.points.data(), memory.omega.data(),
                           particles.a.span()});
}

}  // namespace purl
