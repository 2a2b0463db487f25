// The pressure force between two particles, in three formulations. Each is (Pᵢ + Pⱼ) Cⱼ −∇W times a factor of i: what a
// particle brings to its neighbours are two numbers.
#pragma once
#include "solver/fluid/material.h"

namespace purl {

struct PressureTerm {
    float value;   // P
    float weight;  // C, m³
};

// The terms of a particle with pressure p, Pa, and density, kg/m³.
// mean:      f = −Σ ½ (pᵢ + pⱼ) mⱼ/ρⱼ ∇W   Kelager 4.11 (Müller 2003)
// basic:     f = −Σ pⱼ mⱼ/ρⱼ ∇W   4.9: violates action = reaction; for comparison. Pᵢ counts as 0
// symmetric: f = −ρᵢ Σ (pᵢ/ρᵢ² + pⱼ/ρⱼ²) mⱼ ∇W   4.10. Between fluids of different rest density the same with ρ/ρ₀ and
//            m/ρ₀, as follows from the volume-based density δ = Σ V₀ W.
PURL_HD inline PressureTerm pressureTerm(PressureForm form, float pressure, float density,
                                         const FluidConstants& fluid) {
    if (form != PressureForm::symmetric) return {pressure, fluid.mass / density};
    return {pressure * square(fluid.restDensity / density), fluid.mass * fluid.inverseRestDensity};
}
// The factor of particle i: with it, the sum is an acceleration.
PURL_HD inline float pressureFactor(PressureForm form, const FluidConstants& fluid, float inverseDensity) {
    return form == PressureForm::symmetric ? fluid.inverseRestDensity
           : form == PressureForm::mean    ? 0.5f * inverseDensity
                                           : inverseDensity;
}

}  // namespace purl
