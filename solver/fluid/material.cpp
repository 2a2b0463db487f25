#include "solver/fluid/material.h"

#include <algorithm>
#include <cmath>

namespace purl {

double particleMass(const FluidParams& params) {
    return double(params.restDensity) * params.particleSpacing * params.particleSpacing * params.particleSpacing;
}

double supportRadius(const FluidParams& params) {
    return params.particleSpacing * std::cbrt(3 * double(params.kernelParticles) / (4 * kPi));
}

double surfaceThreshold(const FluidParams& params) {
    return params.surfaceThreshold > 0 ? params.surfaceThreshold
                                       : std::sqrt(double(params.restDensity) / params.kernelParticles);
}

double stiffnessStepLimit(const FluidParams& params) {
    return params.stiffness > 0 ? 0.4 * supportRadius(params) / std::sqrt(double(params.stiffness)) : kUnbounded;
}

double viscosityStepLimit(const FluidParams& params) {
    const double h = supportRadius(params);
    return params.viscosity > 0 ? 1.5 * params.restDensity * h * h / (15 * double(params.viscosity)) : kUnbounded;
}

double stepLimit(const FluidParams& params) { return std::min(stiffnessStepLimit(params), viscosityStepLimit(params)); }

FluidConstants constantsOf(const FluidParams& params) {
    const double h = supportRadius(params);
    FluidConstants constants;
    constants.poly6 = Poly6(h);
    constants.spiky = Spiky(h);
    constants.viscosityKernel = ViscosityKernel(h);
    constants.mass = static_cast<float>(particleMass(params));
    constants.inverseMass = static_cast<float>(1 / particleMass(params));
    constants.restDensity = params.restDensity;
    constants.stiffness = params.stiffness;
    constants.attraction = params.attraction * params.stiffness;
    constants.viscosity = params.viscosity;
    constants.surfaceTension = params.surfaceTension;
    constants.surfaceThreshold = static_cast<float>(surfaceThreshold(params));
    constants.buoyancy = params.buoyancy;
    constants.kind = params.kind;
    constants.pressureForm = params.pressureForm;
    return constants;
}

void Materials::set(const Scene& scene) {
    fluids.resize(static_cast<int>(scene.fluids.size()));
    fields.resize(static_cast<int>(scene.fields.size()));
    searchRadius = scene.fluids.empty() ? 1 : 0.0f;
    for (int i = 0; i < fluids.size(); ++i) {
        const FluidParams& params = scene.fluids[static_cast<size_t>(i)].params;
        fluids[i] = constantsOf(params);
        searchRadius = std::max(searchRadius, static_cast<float>(supportRadius(params)));
    }
    for (int i = 0; i < fields.size(); ++i) {
        const Field& field = scene.fields[static_cast<size_t>(i)];
        fields[i] = {field.params.magnitude * normalized(field.params.direction), field.position, field.params.radius};
    }
    gravity = scene.solver.gravity * normalized(scene.solver.gravityDirection);
}

}  // namespace purl
