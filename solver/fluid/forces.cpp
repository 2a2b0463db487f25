#include "solver/fluid/forces.h"

#include "solver/core/traffic.h"
#include "solver/reference/curvature.h"

namespace purl {
namespace {

// Packs what sweeps read per neighbour; the last index is the padding element's.
struct PackForces {
    Span<const Vec3> x, v, past;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    Span<const float> density, pressure, volume;
    PressureForm form;
    bool replaced;  // past takes the place of v
    Span<Float4> points, flow, traits, packedPast;

    PURL_HD void operator()(int i) const {
        if (i == x.count) {
            points[i] = kNobody4;
            flow[i] = {};
            if (traits.count) traits[i] = {};
            if (packedPast.count) packedPast[i] = {};
            return;
        }
        const FluidConstants& fluid = fluids[body[i]];
        const Vec3 u = replaced ? past[i] : v[i];
        const PressureTerm term = pressureTerm(form, pressure[i], density[i], fluid);
        points[i] = {x[i].x, x[i].y, x[i].z, volume[i]};
        flow[i] = {u.x, u.y, u.z, term.value};
        if (traits.count) traits[i] = {term.weight, viscosityBeside(fluid), isFractional(fluid) ? 1.0f : 0.0f, 0};
        if (packedPast.count) packedPast[i] = {past[i].x, past[i].y, past[i].z, 0};
    }
};

template <class W, Mixture kMixture>
ForcesSweep<W, kMixture> forcesOf(Particles& particles, const Materials& materials, PressureForm form,
                                  const Buffer<float>& volume, LaneMemory& memory) {
    ForcesSweep<W, kMixture> forces;
    forces.fluids = materials.fluids.span();
    forces.fields = materials.fields.span();
    forces.gravity = materials.gravity;
    forces.form = form;
    forces.body = particles.body.span();
    forces.points = memory.points.data();
    forces.flow = memory.flow();
    forces.traits = memory.traits.data();
    forces.past = memory.past.data();
    forces.v = particles.v.span();
    forces.density = particles.density.span();
    forces.volume = volume.span();
    forces.a = particles.a.span();
    forces.normal = particles.normal.span();
    if (materials.cohesive) forces.gradient = {memory.gradient.data(), particles.count()};
    return forces;
}

// The forces of the fluids with one form of the pressure force.
void applyForcesOf(PressureForm form, Particles& particles, const Neighbors& neighbors, const Materials& materials,
                   const Buffer<float>& volume, LaneMemory& memory, Span<const Vec3> past) {
    const Device& device = volume.device();
    const int count = particles.count();
    // Only of one fluid, and only in the usual form, are weights the same for all particles.
    const bool several = materials.fluids.size() > 1 || form != PressureForm::symmetric;
    const bool fractional = past.count > 0 && materials.fractional;
    memory.resizeDiscard(count);
    memory.traits.resizeDiscard(several ? count + 1 : 0);
    memory.past.resizeDiscard(several && fractional ? count + 1 : 0);
    expectTraffic((32.0 + 64) * count);
    forEach(device, "packParticles", count + 1,
            PackForces{std::as_const(particles.x).span(),
                       std::as_const(particles.v).span(),
                       past,
                       std::as_const(particles.body).span(),
                       materials.fluids.span(),
                       std::as_const(particles.density).span(),
                       std::as_const(particles.pressure).span(),
                       volume.span(),
                       form,
                       fractional && !several,
                       {memory.points.data(), count + 1},
                       {memory.flow(), count + 1},
                       memory.traits.span(),
                       memory.past.span()},
            2048);
    forEachPressureKernel(materials, [&](auto w) {
        using W = decltype(w);
        // Reads neighbour lists with their offsets and counts, points and flow, density and volume; writes acceleration
        // and normal.
        expectTraffic(4.0 * neighbors.listSize() + (8 + (several ? 48 : 32) + 8 + 48.0) * count);
        const auto run = [&](const auto& forces) { sweep(device, "forces", count, neighbors.view(), forces); };
        if (several && fractional)
            run(forcesOf<W, Mixture::severalFractional>(particles, materials, form, volume, memory));
        else if (several)
            run(forcesOf<W, Mixture::several>(particles, materials, form, volume, memory));
        else if (materials.fluids[0].hasColorSurface())
            run(forcesOf<W, Mixture::one>(particles, materials, form, volume, memory));
        else
            run(forcesOf<W, Mixture::oneWithoutSurface>(particles, materials, form, volume, memory));
    });
}

}  // namespace

void applyForces(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                 const Buffer<float>& volume, LaneMemory& memory, Span<const Vec3> past) {
    if (materials.cohesive) roomForGradients(memory, particles.count());
    for (const PressureForm form : {PressureForm::mean, PressureForm::basic, PressureForm::symmetric})
        for (const FluidConstants& fluid : materials.fluids.onHost())
            if (fluid.pressureForm == form) {
                applyForcesOf(form, particles, neighbors, materials, volume, memory, past);
                break;
            }
    if (materials.curved) applyCurvatureTension(particles, neighbors, nullptr, materials, memory);
}

}  // namespace purl
