// Constants of double-density relaxation: a fluid as its kernels read it, and what follows from its parameters alone.
#pragma once
#include "solver/core/vec.h"
#include "solver/scene.h"

namespace purl {

// H is the support radius.
struct DoubleDensityConstants {
    float mass;              // kg
    float push, pushNear;    // m/s², k and k_near over H
    float restDensity;       // of a lattice, and a little more for what k_near adds: then it stays as it is
    float latticeDensity;    // Σ (1 − r/H)² there
    float damping, impact;   // 1/s, 1/m
    float spring;            // 1/s², k_min
    float hardening;         // 1/s², most that motion adds
    float historyStiffness;  // k_hist
    float yield, flow;       // γ; 1/s, α
    float grip;
    SpringRest springRest;
    float stiffness, density;  // m²/s², kg/m³, reported only
};
DoubleDensityConstants doubleDensityConstants(const FluidParams& params, double radius);

// How much of what is between two is the one's to move; both together keep momentum.
PURL_HD inline float share(const DoubleDensityConstants& mine, const DoubleDensityConstants& other) {
    return other.mass / (mine.mass + other.mass);
}

// k_hist such that relative motion at hardeningSpeed, kept up for all of the memory, adds `hardening` times k_min.
double historyStiffness(const FluidParams& params);
// Steps from one remembered velocity to the next: as many as leave a hundred of them, as the thesis has at its own step
// of 0.01 s, unless the fluid says how many.
int hardeningStride(const FluidParams& params, double dt);
// Velocities remembered: d + 1 for d = memory / (stride Δt)   Özgen 5.3
int hardeningSamples(const FluidParams& params, double dt, int stride);
// The longest step that springs and double density bear.
double doubleDensityStepLimit(const FluidParams& params, double radius);

}  // namespace purl
