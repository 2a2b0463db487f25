// The pressure force between two particles, in three formulations.
#pragma once
#include "solver/fluid/material.h"

namespace purl {

// One particle of a pair.
struct PressureSide {
    float pressure;        // Pa
    float inverseDensity;  // m³/kg
    float mass;            // kg
    float restDensity;     // kg/m³
};

// Factor of −∇W in the acceleration of i by j: the pressure force density over ρᵢ.
PURL_HD inline float pressureTerm(PressureForm form, const PressureSide& i, const PressureSide& j) {
    const float volume = j.mass * j.inverseDensity;
    // f = −Σ ½ (pᵢ + pⱼ) mⱼ/ρⱼ ∇W   Kelager 4.11 (Müller 2003)
    if (form == PressureForm::mean) return 0.5f * (i.pressure + j.pressure) * volume * i.inverseDensity;
    // f = −Σ pⱼ mⱼ/ρⱼ ∇W   4.9: violates action = reaction; for comparison
    if (form == PressureForm::basic) return j.pressure * volume * i.inverseDensity;
    // f = −ρᵢ Σ (pᵢ/ρᵢ² + pⱼ/ρⱼ²) mⱼ ∇W   4.10
    // Between fluids of different rest density the same with ρ/ρ₀ and m/ρ₀, as follows from the volume-based density δ
    // = Σ V₀ W.
    const float unlike = j.restDensity / i.restDensity;
    return (i.pressure * square(i.inverseDensity) + j.pressure * square(j.inverseDensity * unlike)) * j.mass / unlike;
}

}  // namespace purl
