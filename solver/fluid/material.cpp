#include "solver/fluid/material.h"

#include <algorithm>
#include <cmath>

#include "solver/fluid/cohesion.h"
#include "solver/fluid/doubleDensity.h"
#include "solver/fluid/fractionalViscosity.h"

namespace purl {

double particleMass(const FluidParams& params) {
    return double(params.restDensity) * params.particleSpacing * params.particleSpacing * params.particleSpacing;
}

double supportRadius(const FluidParams& params) {
    return params.particleSpacing * std::cbrt(3 * double(params.kernelParticles) / (4 * kPi));
}

double supportRadius(const Scene& scene, const FluidParams& params) {
    if (scene.solver.pressureSolver == PressureSolver::wcsph) return supportRadius(params);
    float coarsest = 0;
    for (const Fluid& fluid : scene.fluids) coarsest = std::max(coarsest, fluid.params.particleSpacing);
    return 2 * double(coarsest);
}

double latticeVolume(double spacing, const CubicSpline& W) {
    const int reach = static_cast<int>(W.h / spacing) + 1;
    double sum = 0;
    for (int z = -reach; z <= reach; ++z)
        for (int y = -reach; y <= reach; ++y)
            for (int x = -reach; x <= reach; ++x)
                sum += double(W(static_cast<float>(spacing * std::sqrt(double(x * x + y * y + z * z)))));
    return 1 / sum;
}

namespace {

// Σ W over the layers of a cubic lattice below a particle, the first a spacing away, and how fast it falls with height.
struct LayerSum {
    double value = 0, slope = 0;
    LayerSum(const CubicSpline& W, double spacing) {
        const int reach = static_cast<int>(W.h / spacing) + 1;
        for (int y = 1; y <= reach; ++y)
            for (int z = -reach; z <= reach; ++z)
                for (int x = -reach; x <= reach; ++x) {
                    const auto r = static_cast<float>(spacing * std::sqrt(double(x * x + y * y + z * z)));
                    value += double(W(r));
                    slope -= double(W.gradientFactor(r)) * y * spacing;
                }
    }
};

}  // namespace

double shareOfLayers(const CubicSpline& W, double spacing) {
    return spacing * spacing * spacing * LayerSum(W, spacing).value;
}

double wallSteepness(PressureSolver solver, bool points) {
    if (solver == PressureSolver::pbf) return points ? 1.8 : 1.95;
    return points ? 1.95 : 2.25;
}

CubicSpline steepWallSpline(const CubicSpline& W, double spacing, double steepness) {
    const LayerSum fluid(W, spacing);
    double narrow = spacing, wide = W.h;
    for (int k = 0; k < 40; ++k) {
        const double middle = 0.5 * (narrow + wide);
        const LayerSum wall(CubicSpline(middle), spacing);
        (wall.slope * fluid.value > steepness * fluid.slope * wall.value ? narrow : wide) = middle;
    }
    CubicSpline steep(wide);
    const auto factor = static_cast<float>(fluid.value / LayerSum(steep, spacing).value);
    steep.value *= factor;
    steep.gradient *= factor;
    return steep;
}

double surfaceThreshold(const FluidParams& params) {
    return params.surfaceThreshold > 0 ? params.surfaceThreshold
                                       : std::sqrt(double(params.restDensity) / params.kernelParticles);
}

double stiffnessStepLimit(const FluidParams& params) {
    return params.stiffness > 0 ? 0.4 * supportRadius(params) / std::sqrt(double(params.stiffness)) : kUnbounded;
}

double tensionStepLimit(const FluidParams& params) {
    if (params.tensionModel != TensionModel::cohesion || !(params.surfaceTension > 0)) return kUnbounded;
    return std::sqrt(particleMass(params) / (4 * kPi * double(params.surfaceTension)));
}

double viscosityStepLimit(const FluidParams& params) {
    const ViscosityModel model = params.viscosityModel;
    if (!(params.viscosity > 0) || model == ViscosityModel::xsph || model == ViscosityModel::implicit)
        return kUnbounded;
    const double h = supportRadius(params), steepness = model == ViscosityModel::morris ? 24 : 15;
    const double limit = 1.5 * params.restDensity * h * h / (steepness * params.viscosity);
    if (model != ViscosityModel::fractional) return limit;
    const PastWeights weights = fractionalWeights(params);
    const double longer = 0.5 * relaxationLimit(weights) * limit;
    // Literal viscosity is G μ, G = g Δt^(1−q):   Δt g Δt^(1−q) ≤ longer
    return params.fractionalScale == FractionalScale::calibrated
               ? longer
               : std::pow(longer / weights.steadyGain(1), 1 / (2 - weights.order));
}

double stepLimit(const FluidParams& params) {
    return std::min({stiffnessStepLimit(params), viscosityStepLimit(params), tensionStepLimit(params)});
}

double stepLimit(const Scene& scene) {
    const bool explicitPressure = scene.solver.pressureSolver == PressureSolver::wcsph;
    double limit = kUnbounded, outer = std::fabs(double(scene.solver.gravity));
    for (const Field& field : scene.fields) outer += std::fabs(double(field.params.magnitude));
    for (const Fluid& fluid : scene.fluids) {
        if (scene.solver.pressureSolver == PressureSolver::doubleDensity) {
            limit = std::min(limit, pasteStepLimit(fluid.params, supportRadius(scene, fluid.params)));
            continue;
        }
        limit = std::min(limit, explicitPressure
                                    ? stepLimit(fluid.params)
                                    : std::min(viscosityStepLimit(fluid.params), tensionStepLimit(fluid.params)));
        if (!explicitPressure && scene.solver.cfl > 0 && outer > 0)
            limit = std::min(limit, 0.5 * scene.solver.cfl * std::sqrt(supportRadius(scene, fluid.params) / outer));
    }
    return limit;
}

namespace {

double smallestSupport(const Scene& scene) {
    double h = kUnbounded;
    for (const Fluid& fluid : scene.fluids) h = std::min(h, supportRadius(scene, fluid.params));
    return h;
}

// wcsph has its own limit in the stiffness; the rules only catch what outruns it.
double cflOf(const Scene& scene) {
    if (!(scene.solver.cfl > 0)) return kUnbounded;
    return scene.solver.pressureSolver == PressureSolver::wcsph ? 1 : double(scene.solver.cfl);
}

}  // namespace

double speedStepLimit(const Scene& scene, double speed) {
    if (!(speed > 0) || !std::isfinite(speed)) return kUnbounded;
    return std::max(cflOf(scene) * smallestSupport(scene) / speed, double(scene.solver.minTimeStep));
}

double accelerationStepLimit(const Scene& scene, double acceleration) {
    if (!(acceleration > 0) || !std::isfinite(acceleration)) return kUnbounded;
    return std::max(cflOf(scene) * std::sqrt(smallestSupport(scene) / acceleration), double(scene.solver.minTimeStep));
}

FluidConstants constantsOf(const FluidParams& params, double h) {
    FluidConstants constants;
    constants.poly6 = Poly6(h);
    constants.spiky = Spiky(h);
    constants.viscosityKernel = ViscosityKernel(h);
    constants.mass = static_cast<float>(particleMass(params));
    constants.inverseMass = static_cast<float>(1 / particleMass(params));
    constants.restDensity = params.restDensity;
    constants.inverseRestDensity = static_cast<float>(1 / double(params.restDensity));
    constants.restVolume = static_cast<float>(latticeVolume(params.particleSpacing, CubicSpline(h)));
    constants.stiffness = params.stiffness;
    constants.attraction = params.attraction * params.stiffness;
    constants.viscosity = params.viscosity;
    constants.viscosityModel = params.viscosityModel;
    const bool swept =
        params.viscosityModel == ViscosityModel::mueller || params.viscosityModel == ViscosityModel::fractional;
    constants.sweptViscosity = swept ? params.viscosity : 0;
    const bool cohesive = params.tensionModel == TensionModel::cohesion && params.kind == FluidKind::liquid;
    constants.surfaceTension = cohesive ? 0 : params.surfaceTension;
    const CohesionStrength strength = cohesionStrength(cohesive ? double(params.surfaceTension) : 0, h);
    constants.cohesion = static_cast<float>(strength.cohesion);
    constants.evening = static_cast<float>(strength.evening);
    constants.surfaceThreshold = static_cast<float>(surfaceThreshold(params));
    constants.buoyancy = params.buoyancy;
    constants.kind = params.kind;
    constants.stateEquation = params.stateEquation;
    constants.pressureForm = params.pressureForm;
    return constants;
}

void Materials::set(const Scene& scene) {
    fluids.resize(static_cast<int>(scene.fluids.size()));
    fields.resize(static_cast<int>(scene.fields.size()));
    searchRadius = scene.fluids.empty() ? 1 : 0.0f;
    frictionPass = implicitViscosity = fractional = false;
    cohesive = false;
    for (int i = 0; i < fluids.size(); ++i) {
        const FluidParams& params = scene.fluids[static_cast<size_t>(i)].params;
        const double support = supportRadius(scene, params);
        fluids[i] = constantsOf(params, support);
        const ViscosityModel model = params.viscosity > 0 ? params.viscosityModel : ViscosityModel::mueller;
        frictionPass = frictionPass || model == ViscosityModel::morris || model == ViscosityModel::xsph;
        fractional = fractional || model == ViscosityModel::fractional;
        implicitViscosity = implicitViscosity || model == ViscosityModel::implicit;
        searchRadius = std::max(searchRadius, static_cast<float>(support));
        cohesive = cohesive || fluids[i].cohesion > 0;
        spacing = i == 0 ? params.particleSpacing : std::min(spacing, params.particleSpacing);
        uniform =
            (i == 0 || uniform) && fluids[i].mass == fluids[0].mass && fluids[i].restDensity == fluids[0].restDensity;
    }
    spline = wallSpline = CubicSpline(searchRadius);
    for (int i = 0; i < fields.size(); ++i) {
        const Field& field = scene.fields[static_cast<size_t>(i)];
        fields[i] = {field.params.magnitude * normalized(field.params.direction), field.position, field.params.radius};
    }
    gravity = scene.solver.gravity * normalized(scene.solver.gravityDirection);
}

}  // namespace purl
