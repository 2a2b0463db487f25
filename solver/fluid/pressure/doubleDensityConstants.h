// Constants of double-density relaxation: per fluid for the kernels, and values derived from its parameters.
#pragma once
#include "solver/core/vec.h"
#include "solver/scene.h"

namespace purl {

// H is the support radius.
struct DoubleDensityConstants {
    float mass;              // kg
    float k, kNear;          // m/s², k and k_near over H
    float restDensity;       // ρ₀ at which a cubic lattice is in equilibrium, including k_near
    float latticeDensity;    // Σ (1 − r/H)² of that lattice
    float damping, impact;   // 1/s, 1/m
    float spring;            // 1/s², k_min
    float hardening;         // 1/s², largest stiffness that hardening adds
    float historyStiffness;  // k_hist
    float yield, flow;       // γ; 1/s, α
    float grip;
    SpringRest springRest;
    float stiffness, density;  // m²/s², kg/m³, reported only
};
DoubleDensityConstants doubleDensityConstants(const FluidParams& params, double radius);

// Share of a pair's correction that is applied to `mine`, inversely by mass: conserves momentum.
PURL_HD inline float share(const DoubleDensityConstants& mine, const DoubleDensityConstants& other) {
    return other.mass / (mine.mass + other.mass);
}

// k_hist such that relative motion at hardeningSpeed, sustained over the history window (hardeningMemory), adds
// `hardening` times k_min.
double historyStiffness(const FluidParams& params);
// Steps between two velocity samples: the fluid's setting, or by default about a hundred samples per window, as in the
// thesis with its step of 0.01 s.
int hardeningStride(const FluidParams& params, double dt);
// Number of velocity samples: d + 1 for d = memory / (stride Δt)   Özgen 5.3
int hardeningSamples(const FluidParams& params, double dt, int stride);
// Longest stable step of springs and double-density relaxation, s.
double doubleDensityStepLimit(const FluidParams& params, double radius);

}  // namespace purl
