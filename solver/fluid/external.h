// Accelerations from outside: gravity, buoyancy, fields.
#pragma once
#include "solver/fluid/material.h"

namespace purl {

// A liquid falls by g. A gas does not: b (ρ − ρ₀) g / ρ lifts it where it is thinner than at rest.   Kelager 4.24, 4.25
PURL_HD inline Vec3 weight(const FluidConstants& fluid, float density, Vec3 gravity) {
    if (fluid.kind == FluidKind::liquid) return gravity;
    return (fluid.buoyancy * (density - fluid.restDensity) / density) * gravity;
}

// What the fields add at x, to any kind of fluid.   Kelager 4.23
PURL_HD inline Vec3 fieldsAt(Vec3 x, Span<const FieldConstants> fields) {
    Vec3 sum;
    for (const FieldConstants& field : fields)
        if (field.radius == 0 || lengthSquared(x - field.position) <= square(field.radius)) sum += field.acceleration;
    return sum;
}

}  // namespace purl
