// Accelerations from outside: gravity, buoyancy, fields.
#pragma once
#include "solver/fluid/material.h"

namespace purl {

// A liquid falls by g. A gas does not: b (ρ − ρ₀) g / ρ lifts it where it is thinner than at rest.   Kelager 4.24, 4.25
PURL_HD inline Vec3 weight(const FluidConstants& fluid, float density, Vec3 gravity) {
    if (fluid.kind == FluidKind::liquid) return gravity;
    return (fluid.params.buoyancy * (density - fluid.restDensity) / density) * gravity;
}

// The same for solvers that hold the density at rest. What they measure below it are neighbours that are missing at the
// edge of a cloud, not thin gas, and would shoot single particles up at ten g: so much thinner it counts at most.
PURL_HD inline Vec3 weightAtRest(const FluidConstants& fluid, float density, Vec3 gravity) {
    constexpr float kThinnest = 0.9f;
    const float least = kThinnest * fluid.restDensity;
    return weight(fluid, density > least ? density : least, gravity);
}

// 1/s, for the same solvers. A gas that rises mixes with the air and is slowed by it, which a cloud of constant density
// does not show: at this rate steam rises at 2 m/s. More drag is the fluid's own.
PURL_HD inline float dragAtRest(const FluidConstants& fluid) {
    constexpr float kOfAir = 3;
    return fluid.kind == FluidKind::gas && fluid.params.buoyancy > 0 && fluid.params.drag < kOfAir ? kOfAir
                                                                                                   : fluid.params.drag;
}

// What the fields add at x, to any kind of fluid.   Kelager 4.23
PURL_HD inline Vec3 fieldsAt(Vec3 x, Span<const FieldConstants> fields) {
    Vec3 sum;
    for (const FieldConstants& field : fields)
        if (field.radius == 0 || lengthSquared(x - field.position) <= square(field.radius)) sum += field.acceleration;
    return sum;
}

// Acceleration of points x by gravity and fields, m/s².
void accelerateByGravityAndFields(const Materials& materials, const Buffer<Vec3>& x, Buffer<Vec3>& a);

}  // namespace purl
