// The pressure force: pushes from dense to thin. One pair's share, and the three forms it may take.
#pragma once
#include "solver/fluid/material.h"

namespace purl {

// What one side of a pair brings.
struct PressureSide {
    float pressure;        // Pa
    float inverseDensity;  // m³/kg
    float mass;            // kg
    float restDensity;     // kg/m³
};

// Pressure force density on i from j, over ρᵢ and without −∇W: what multiplies −∇W to give an acceleration.
PURL_HD inline float pressureTerm(PressureForm form, const PressureSide& i, const PressureSide& j) {
    const float volume = j.mass * j.inverseDensity;
    // f = −Σ ½ (pᵢ + pⱼ) mⱼ/ρⱼ ∇W   Kelager 4.11 (Müller 2003)
    if (form == PressureForm::mean) return 0.5f * (i.pressure + j.pressure) * volume * i.inverseDensity;
    // f = −Σ pⱼ mⱼ/ρⱼ ∇W   4.9: no equal and opposite forces; for comparison
    if (form == PressureForm::basic) return j.pressure * volume * i.inverseDensity;
    // f = −ρᵢ Σ (pᵢ/ρᵢ² + pⱼ/ρⱼ²) mⱼ ∇W   4.10; between fluids the same of ρ/ρ₀ and m/ρ₀, which derives from a density
    // counted in volumes
    const float unlike = j.restDensity / i.restDensity;
    return (i.pressure * square(i.inverseDensity) + j.pressure * square(j.inverseDensity * unlike)) * j.mass / unlike;
}

}  // namespace purl
