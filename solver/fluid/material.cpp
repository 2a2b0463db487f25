#include "solver/fluid/material.h"

#include <algorithm>
#include <cmath>

#include "solver/core/math.h"
#include "solver/fluid/cohesion.h"
#include "solver/fluid/fractionalViscosity.h"
#include "solver/fluid/pressure/doubleDensity.h"

namespace purl {

double particleMass(const FluidParams& params, int dimensions) {
    return double(params.restDensity) * power(params.particleSpacing, dimensions);
}

double supportRadius(const FluidParams& params, int dimensions) {
    const double particles = params.wcsph.kernelParticles;
    return params.particleSpacing * (dimensions == 3 ? cbrt(3 * particles / (4 * kPi)) : std::sqrt(particles / kPi));
}

double supportRadius(const Scene& scene, const FluidParams& params) {
    if (scene.solver.pressureSolver == PressureSolver::wcsph) return supportRadius(params, scene.solver.dimensions);
    float coarsest = 0;
    for (const Fluid& fluid : scene.fluids) coarsest = std::max(coarsest, fluid.params.particleSpacing);
    return 2 * double(coarsest);
}

double latticeVolume(double spacing, const CubicSpline& W, int dimensions) {
    double sum = 0;
    forEachSite(spacing, W.h, dimensions, [&](double r) { sum += double(W(static_cast<float>(r))); });
    return 1 / sum;
}

namespace {

bool hasCohesion(const FluidParams& params) {
    return params.tensionModel == TensionModel::cohesion && params.reference.tension == ReferenceTension::none;
}

// Σ W over the layers of a cubic lattice (rows of a square one in 2D) below a particle, the first one spacing away, and
// how fast it decreases with height.
struct LayerSum {
    double value = 0, slope = 0;
    explicit LayerSum(const CubicSpline& W, double spacing)
        : LayerSum(
              W.h, W.dimensions(), spacing, [&](float r) { return W(r); },
              [&](float r) { return W.gradientFactor(r); }) {}
    LayerSum(const FluidConstants& fluid, double spacing)
        : LayerSum(
              fluid.spline.h, fluid.dimensions, spacing, [&](float r) { return fluid.densityWeight(r * r); },
              [&](float r) { return fluid.pressureGradient(r); }) {}

  private:
    template <class Weight, class GradientFactor>
    LayerSum(double radius, int dimensions, double spacing, Weight&& W, GradientFactor&& gradientFactor) {
        const int reach = static_cast<int>(radius / spacing) + 1, rows = dimensions == 3 ? reach : 0;
        for (int y = 1; y <= reach; ++y)
            for (int z = -rows; z <= rows; ++z)
                for (int x = -reach; x <= reach; ++x) {
                    const auto r = static_cast<float>(spacing * std::sqrt(double(x * x + y * y + z * z)));
                    value += double(W(r));
                    slope -= double(gradientFactor(r)) * y * spacing;
                }
    }
};

// The spline with the same sum over these layers and `steepness` times the slope. Bisects for the support radius.
CubicSpline steepened(const LayerSum& fluid, double radius, int dimensions, double spacing, double steepness) {
    double narrow = spacing, wide = radius;
    for (int k = 0; k < 40; ++k) {
        const double middle = 0.5 * (narrow + wide);
        const LayerSum wall(CubicSpline(middle, dimensions), spacing);
        (wall.slope * fluid.value > steepness * fluid.slope * wall.value ? narrow : wide) = middle;
    }
    CubicSpline steep(wide, dimensions);
    const auto factor = static_cast<float>(fluid.value / LayerSum(steep, spacing).value);
    steep.value *= factor;
    steep.gradient *= factor;
    return steep;
}

}  // namespace

double shareOfLayers(const CubicSpline& W, double spacing) {
    return power(spacing, W.dimensions()) * LayerSum(W, spacing).value;
}

double wallSteepness(PressureSolver solver, bool points) {
    if (solver == PressureSolver::pbf) return points ? 1.8 : 1.95;
    return points ? 1.95 : 2.25;
}

double wallSteepness(double reach) { return reach < 2.2 ? 2 : 1; }

CubicSpline steepWallSpline(const CubicSpline& W, double spacing, double steepness) {
    return steepened(LayerSum(W, spacing), W.h, W.dimensions(), spacing, steepness);
}

CubicSpline steepWallSpline(const FluidConstants& fluid, double steepness) {
    return steepened(LayerSum(fluid, fluid.spacing), fluid.spline.h, fluid.dimensions, fluid.spacing, steepness);
}

double surfaceThreshold(const FluidParams& params) {
    return params.surfaceThreshold > 0 ? params.surfaceThreshold
                                       : std::sqrt(double(params.restDensity) / params.wcsph.kernelParticles);
}

double centroidScale(double h, int dimensions) {
    return dimensions == 3 ? 315.0 / 256 / (0.375 * h * h) : 128 / (35 * kPi) / (4 / (3 * kPi) * h * h);
}

double stiffnessStepLimit(const FluidParams& params, int dimensions) {
    return params.stiffness > 0 ? 0.4 * supportRadius(params, dimensions) / std::sqrt(double(params.stiffness))
                                : kUnbounded;
}

double stiffnessStepLimit(const Scene& scene, const FluidParams& params) {
    double stiffest = params.stiffness;
    for (const Fluid& other : scene.fluids) {
        const double otherStiffness = double(other.params.stiffness) * other.params.restDensity / params.restDensity;
        stiffest = std::max(stiffest, 0.5 * (params.stiffness + otherStiffness));
    }
    return stiffest > 0 ? 0.4 * supportRadius(params, scene.solver.dimensions) / std::sqrt(stiffest) : kUnbounded;
}

double tensionStepLimit(const FluidParams& params) {
    if (!hasCohesion(params) || !(params.surfaceTension > 0)) return kUnbounded;
    return std::sqrt(particleMass(params) / (4 * kPi * double(params.surfaceTension)));
}

double viscosityStepLimit(const FluidParams& params, int dimensions) {
    const ViscosityModel model = params.viscosityModel;
    if (!(params.viscosity > 0) || model == ViscosityModel::xsph || model == ViscosityModel::implicit)
        return kUnbounded;
    const double h = supportRadius(params, dimensions), steepness = model == ViscosityModel::morris ? 24 : 15;
    const double limit = 1.5 * params.restDensity * h * h / (steepness * params.viscosity);
    if (model != ViscosityModel::fractional) return limit;
    const HistoryWeights weights = fractionalWeights(params);
    const double longer = 0.5 * relaxationLimit(weights) * limit;
    // Literal viscosity is G μ with G = g Δt^(1−q), so the limit solves   Δt g Δt^(1−q) = longer
    return params.reference.fractionalScale == FractionalScale::calibrated
               ? longer
               : pow(longer / weights.steadyGain(1), 1 / (2 - weights.order));
}

double stepLimit(const FluidParams& params, int dimensions) {
    return std::min(
        {stiffnessStepLimit(params, dimensions), viscosityStepLimit(params, dimensions), tensionStepLimit(params)});
}

double stepLimit(const Scene& scene) {
    const bool explicitPressure = scene.solver.pressureSolver == PressureSolver::wcsph;
    double limit = kUnbounded, external = std::fabs(double(scene.solver.gravity));
    for (const Field& field : scene.fields) external += std::fabs(double(field.params.magnitude));
    for (const Fluid& fluid : scene.fluids) {
        if (fluid.params.drag > 0) limit = std::min(limit, 0.5 / fluid.params.drag);
        if (scene.solver.pressureSolver == PressureSolver::doubleDensity) {
            limit = std::min(limit, doubleDensityStepLimit(fluid.params, supportRadius(scene, fluid.params)));
            continue;
        }
        const int dimensions = scene.solver.dimensions;
        limit = std::min(limit, explicitPressure ? stepLimit(fluid.params, dimensions)
                                                 : std::min(viscosityStepLimit(fluid.params, dimensions),
                                                            tensionStepLimit(fluid.params)));
        if (explicitPressure) limit = std::min(limit, stiffnessStepLimit(scene, fluid.params));
        if (!explicitPressure && scene.solver.cfl > 0 && external > 0)
            limit = std::min(limit, 0.5 * scene.solver.cfl * std::sqrt(supportRadius(scene, fluid.params) / external));
    }
    return limit;
}

namespace {

double smallestSupport(const Scene& scene) {
    double h = kUnbounded;
    for (const Fluid& fluid : scene.fluids) h = std::min(h, supportRadius(scene, fluid.params));
    return h;
}

// wcsph is limited by its stiffness; these rules only catch particles that are much faster than sound.
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

FluidConstants constantsOf(const FluidParams& params, double h, int dimensions) {
    FluidConstants constants;
    constants.poly6 = Poly6(h, dimensions);
    constants.spiky = Spiky(h, dimensions);
    constants.viscosityKernel = ViscosityKernel(h, dimensions);
    constants.spline = CubicSpline(h, dimensions);
    constants.wendland = Wendland(h, dimensions);
    constants.dimensions = dimensions;
    constants.spacing = params.particleSpacing;
    constants.mass = static_cast<float>(particleMass(params, dimensions));
    constants.inverseMass = static_cast<float>(1 / particleMass(params, dimensions));
    constants.restDensity = params.restDensity;
    constants.inverseRestDensity = static_cast<float>(1 / double(params.restDensity));
    constants.restVolume = static_cast<float>(latticeVolume(params.particleSpacing, constants.spline, dimensions));
    constants.stiffness = params.stiffness;
    constants.attraction = params.wcsph.attraction * params.stiffness;
    constants.viscosity = params.viscosity;
    constants.viscosityModel = params.viscosityModel;
    const bool swept =
        params.viscosityModel == ViscosityModel::mueller || params.viscosityModel == ViscosityModel::fractional;
    constants.sweptViscosity = swept ? params.viscosity : 0;
    // Cohesion is calibrated by the work to split a liquid in 3D. In 2D, where a particle is a metre deep, it would be
    // far too strong, so the colour field replaces it.
    const bool cohesive = hasCohesion(params) && params.kind == FluidKind::liquid && dimensions == 3;
    constants.surfaceTension = cohesive ? 0 : params.surfaceTension;
    const CohesionStrength strength = cohesionStrength(cohesive ? double(params.surfaceTension) : 0, h);
    constants.cohesion = static_cast<float>(strength.cohesion);
    constants.evening = static_cast<float>(strength.evening);
    constants.centroidScale = static_cast<float>(centroidScale(h, dimensions));
    // A centroid distance of 0.2 h selects particles within about h/3 of the surface.
    const bool byNormals = params.reference.tension != ReferenceTension::none && !(params.surfaceThreshold > 0);
    constants.surfaceThreshold =
        static_cast<float>(byNormals ? 0.2 * h * centroidScale(h, dimensions) : surfaceThreshold(params));
    constants.kind = params.kind;
    constants.kernel = params.wcsph.kernel;
    constants.stateEquation = params.wcsph.stateEquation;
    constants.pressureForm = params.reference.pressureForm;
    constants.referenceTension = params.reference.tension;
    constants.params = params;
    constants.latticeShare = 1;
    double sum = 0;
    forEachSite(params.particleSpacing, h, dimensions,
                [&](double r) { sum += double(constants.densityWeight(static_cast<float>(r * r))); });
    if (params.wcsph.kernel != SmoothingKernel::muller)
        constants.latticeShare = static_cast<float>(1 / (sum * power(params.particleSpacing, dimensions)));
    return constants;
}

void Materials::set(const Scene& scene) {
    fluids.onHost().resize(static_cast<int>(scene.fluids.size()));
    fields.onHost().resize(static_cast<int>(scene.fields.size()));
    searchRadius = scene.fluids.empty() ? 1 : 0.0f;
    frictionPass = implicitViscosity = fractional = curved = cohesive = false;
    dispersion = 0;
    colored =
        std::any_of(scene.cloths.begin(), scene.cloths.end(), [](const Cloth& cloth) { return cloth.pores.absorb(); });
    dimensions = scene.solver.dimensions;
    for (int i = 0; i < fluids.size(); ++i) {
        const FluidParams& params = scene.fluids[static_cast<size_t>(i)].params;
        const double support = supportRadius(scene, params);
        fluids.onHost()[i] = constantsOf(params, support, dimensions);
        const ViscosityModel model = params.viscosity > 0 ? params.viscosityModel : ViscosityModel::mueller;
        frictionPass = frictionPass || model == ViscosityModel::morris || model == ViscosityModel::xsph;
        fractional = fractional || model == ViscosityModel::fractional;
        implicitViscosity = implicitViscosity || model == ViscosityModel::implicit;
        curved = curved || (params.reference.tension != ReferenceTension::none && params.kind == FluidKind::liquid);
        searchRadius = std::max(searchRadius, static_cast<float>(support));
        dispersion = std::max(dispersion, params.dispersion);
        colored = colored || params.dispersion > 0;
        cohesive = cohesive || fluids[i].cohesion > 0;
        spacing = i == 0 ? params.particleSpacing : std::min(spacing, params.particleSpacing);
        uniform =
            (i == 0 || uniform) && fluids[i].mass == fluids[0].mass && fluids[i].restDensity == fluids[0].restDensity;
    }
    spline = wallSpline = CubicSpline(searchRadius, dimensions);
    for (int i = 0; i < fields.size(); ++i) {
        const Field& field = scene.fields[static_cast<size_t>(i)];
        fields.onHost()[i] = {field.params.magnitude * normalized(field.params.direction), field.position,
                              field.params.radius};
    }
    gravity = scene.solver.gravity * normalized(scene.solver.gravityDirection);
    if (dimensions == 2) {
        gravity.z = 0;
        for (FieldConstants& field : fields.onHost()) field.acceleration.z = 0;
    }
    fluids.upload();
    fields.upload();
}

}  // namespace purl
