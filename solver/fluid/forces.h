// All forces on fluid particles in one pass over the neighbours: a = F/ρ. To add a force, define its pair term in a
// separate header and add a line here.
#pragma once
#include "solver/fluid/external.h"
#include "solver/fluid/lanes.h"
#include "solver/fluid/pressure/pressureForce.h"
#include "solver/fluid/tension.h"
#include "solver/fluid/viscosity.h"
#include "solver/particles.h"
#include "solver/search/neighbors.h"

namespace purl {

// A particle weights its neighbours with its own fluid's kernels. So between fluids of different support radius the two
// forces of a pair differ slightly; within a fluid they are equal and opposite.
struct Forces {
    Neighbors::View neighbors;
    Span<const FluidConstants> fluids;
    Span<const FieldConstants> fields;
    Vec3 gravity;
    Span<const int> body;
    Span<const Vec3> v;
    Span<const Vec3> past;  // fractional derivative that replaces v in fractional viscosity, or empty
    Span<const float> density, pressure, volume;
    Span<Vec3> a, normal;
    Span<Float4> gradient;  // of the colour field, 1/m; optional

    PURL_HD void operator()(int i) const {
        const FluidConstants& fluid = fluids[body[i]];
        const bool hasSurface = fluid.hasColorSurface();
        const float inverseDensity = 1 / density[i];
        const PressureSide side{pressure[i], inverseDensity, fluid.mass, fluid.restDensity};
        const Vec3 vi = v[i];

        Vec3 pressureSum, friction;
        ColorField color;
        color.addSelf(fluid.poly6, volume[i]);
        neighbors.forEach(i, [&](int j, Vec3 d, float r2) {
            const float r = std::sqrt(r2);
            const FluidConstants& other = fluids[body[j]];
            const PressureSide otherSide{pressure[j], volume[j] * other.inverseMass, other.mass, other.restDensity};
            pressureSum -= (pressureTerm(fluid.pressureForm, side, otherSide) * fluid.pressureGradient(r)) * d;
            const bool fractional = past.count > 0 && isFractional(fluid) && isFractional(other);
            friction +=
                pairViscosity(fluid, other) * viscosityTerm(fractional ? past[i] : vi, fractional ? past[j] : v[j],
                                                            volume[j], fluid.viscosityKernel.laplacian(r));
            if (hasSurface) color.add(fluid.poly6, d, r2, volume[j]);
        });

        finish(i, pressureSum, friction, color);
    }

    // Computes acceleration and normal from the sums over neighbours.
    PURL_HD void finish(int i, Vec3 pressureSum, Vec3 friction, const ColorField& color) const {
        const FluidConstants& fluid = fluids[body[i]];
        const float inverseDensity = 1 / density[i];
        Vec3 acceleration = pressureSum + inverseDensity * friction;
        acceleration +=
            weight(fluid, density[i], gravity) + fieldsAt(neighbors.x[i], fields) - fluid.params.drag * v[i];
        const bool isSurface = fluid.hasColorSurface() && color.isSurface(fluid.surfaceThreshold);
        if (isSurface) acceleration += inverseDensity * color.tension(fluid.surfaceTension);
        a[i] = acceleration;
        if (gradient.count) gradient[i] = color.packed();
        normal[i] = isSurface ? color.outward() : Vec3{};
    }
};

// Writes accelerations and normals, and the colour field's gradient to `memory` for cohesion; requires densities,
// pressures and volumes of all particles. One fluid with Müller's kernels on a CPU uses a vectorized loop, which sums
// in a different order. `past` replaces velocities in fractional viscosity; empty if no fluid uses it.
void applyForces(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                 const Buffer<float>& volume, LaneMemory& memory, Span<const Vec3> past = {});
inline void applyForces(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                        const Buffer<float>& volume) {
    LaneMemory memory(volume.device());
    applyForces(particles, neighbors, materials, volume, memory);
}
// The scalar loop: for several fluids and for GPUs, and the reference that tests compare the vectorized loop with.
void applyForcesPlain(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                      const Buffer<float>& volume, LaneMemory& memory, Span<const Vec3> past = {});
inline void applyForcesPlain(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                             const Buffer<float>& volume) {
    LaneMemory memory(volume.device());
    applyForcesPlain(particles, neighbors, materials, volume, memory);
}

}  // namespace purl
