// External accelerations: gravity, buoyancy, force fields.
#pragma once
#include "solver/fluid/material.h"

namespace purl {

// g for liquids. For gases only the buoyancy b (ρ − ρ₀) g / ρ, upwards below rest density.   Kelager 4.24, 4.25
PURL_HD inline Vec3 weight(const FluidConstants& fluid, float density, Vec3 gravity) {
    if (fluid.kind == FluidKind::liquid) return gravity;
    return (fluid.params.buoyancy * (density - fluid.restDensity) / density) * gravity;
}

// The same for solvers that keep the density constant. There a low density means missing neighbours at the edge of a
// cloud, not thin gas, and would accelerate single particles upwards at ten g. So the density is clamped from below.
PURL_HD inline Vec3 weightAtRest(const FluidConstants& fluid, float density, Vec3 gravity) {
    constexpr float kMinDensityRatio = 0.9f;
    const float minDensity = kMinDensityRatio * fluid.restDensity;
    return weight(fluid, density > minDensity ? density : minDensity, gravity);
}

// Drag for the same solvers, 1/s. Rising gas mixes with the air and is slowed by it, which a cloud of constant density
// does not reproduce. So buoyant gas has at least the drag of the air, at which steam rises at 2 m/s.
PURL_HD inline float dragAtRest(const FluidConstants& fluid) {
    constexpr float kAirDrag = 3;
    return fluid.kind == FluidKind::gas && fluid.params.buoyancy > 0 && fluid.params.drag < kAirDrag
               ? kAirDrag
               : fluid.params.drag;
}

// Sum of the force fields' accelerations at x, m/s²; acts on any kind of fluid.   Kelager 4.23
PURL_HD inline Vec3 fieldsAt(Vec3 x, Span<const FieldConstants> fields) {
    Vec3 sum;
    for (const FieldConstants& field : fields)
        if (field.radius == 0 || lengthSquared(x - field.position) <= square(field.radius)) sum += field.acceleration;
    return sum;
}

// Acceleration of points x by gravity and fields, m/s².
void accelerateByGravityAndFields(const Materials& materials, const Buffer<Vec3>& x, Buffer<Vec3>& a);

}  // namespace purl
