// What follows from a fluid's parameters: particle mass, support radius, threshold, step limit, and the table of
// constants that kernels read by a particle's body.
#pragma once
#include "solver/core/buffer.h"
#include "solver/fluid/kernels.h"
#include "solver/scene.h"

namespace purl {

// A particle stands for spacing³ of fluid: m = ρ₀ V / n   Kelager 5.12
double particleMass(const FluidParams& params);
// h = ∛(3 V x / (4π n)) with V/n = spacing³   Kelager 5.14
double supportRadius(const FluidParams& params);
// ℓ = √(ρ₀ / x)   Kelager 5.17, unless the parameter says otherwise
double surfaceThreshold(const FluidParams& params);

// The longest step that stiffness allows: sound may cross 0.4 h.   0.4 h / √k
double stiffnessStepLimit(const FluidParams& params);
// The longest step that viscosity allows: more injects energy instead of taking it.   1.5 ρ₀ h² / (15 μ)
double viscosityStepLimit(const FluidParams& params);
double stepLimit(const FluidParams& params);

// One fluid, as kernels see it.
struct FluidConstants {
    Poly6 poly6;
    Spiky spiky;
    ViscosityKernel viscosityKernel;
    float mass, inverseMass;      // kg, 1/kg
    float restDensity;            // kg/m³
    float stiffness, attraction;  // m²/s², above and below rest density
    float viscosity;              // Pa·s
    float surfaceTension;         // N/m
    float surfaceThreshold;       // 1/m
    float buoyancy;
    FluidKind kind;
    PressureForm pressureForm;
};
FluidConstants constantsOf(const FluidParams& params);

// One field, as kernels see it.
struct FieldConstants {
    Vec3 acceleration;  // m/s²
    Vec3 position;
    float radius;  // m; 0: everywhere
};

// All that forces read of a scene. Remade at every call, so that edits between calls hold from the next step on.
struct Materials {
    explicit Materials(const Device& device = Device::cpu()) : fluids(device), fields(device) {}
    void set(const Scene& scene);

    Buffer<FluidConstants> fluids;
    Buffer<FieldConstants> fields;
    Vec3 gravity;            // m/s²
    float searchRadius = 1;  // m, the largest support radius: each particle weighs what it finds by its own
};

}  // namespace purl
