// Fluid presets: Purl's default water, the materials of Kelager 2006 (tables 5.2 to 5.4 and §6.5) and common liquids.
#include "solver/params/fluid.h"

#include <cmath>

#include "solver/core/error.h"
#include "solver/core/math.h"

namespace purl {
namespace {

// Kelager's tables give the particle mass; the spacing is ∛(m / ρ₀).
FluidParams material(FluidKind kind, float restDensity, double mass, float viscosity, float surfaceTension,
                     float stiffness, float restitution, float kernelParticles, float buoyancy) {
    FluidParams params;
    params.kind = kind;
    params.restDensity = restDensity;
    params.particleSpacing = static_cast<float>(cbrt(mass / restDensity));
    params.wcsph.kernelParticles = kernelParticles;
    params.stiffness = stiffness;
    params.wcsph.attraction = 1;
    params.viscosityModel = ViscosityModel::mueller;
    params.viscosity = viscosity;
    params.tensionModel = TensionModel::colorField;
    params.surfaceTension = surfaceTension;
    params.buoyancy = buoyancy;
    params.restitution = restitution;
    return params;
}

FluidParams colored(FluidParams params, Vec3 color, float opacity = 0) {
    params.color = color;
    params.opacity = opacity;
    return params;
}

// Viscous liquids take their handbook viscosity and the implicit model, which is stable at any step.
FluidParams viscous(float restDensity, float viscosity, float surfaceTension) {
    FluidParams params;
    params.restDensity = restDensity;
    params.viscosityModel = ViscosityModel::implicit;
    params.viscosity = viscosity;
    params.surfaceTension = surfaceTension;
    return params;
}

// Thin liquids take the viscosity of purlWater, which includes numerical damping, plus the difference between their
// handbook viscosity (Pa·s) and that of water.
FluidParams thin(float restDensity, float viscosity, float surfaceTension) {
    constexpr float kWaterViscosity = 0.001f;  // Pa·s
    FluidParams params;
    params.restDensity = restDensity;
    params.viscosity += viscosity - kWaterViscosity;
    params.surfaceTension = surfaceTension;
    return params;
}

// Cornstarch in water, for doubleDensity: hardens for a second where neighbours shear at half a metre per second
// (Özgen 2013, chapter 5; springs and yield after Clavet 2005). 1200 kg/m³: White, Chellamuthu and Rothstein 2010.
FluidParams cornstarch() {
    FluidParams params;
    params.restDensity = 1200;
    // With the other pressure solvers it is a viscous liquid that does not harden.
    params.viscosityModel = ViscosityModel::implicit;
    params.viscosity = 5;
    params.stiffness = 20;
    params.doubleDensity.nearStiffness = 20;
    params.doubleDensity.approachDamping = 30;
    params.doubleDensity.impactDamping = 20;
    params.doubleDensity.springStiffness = 500;
    params.doubleDensity.yieldRatio = 0.01f;
    // A stone ball bounces when thrown at it and sinks when placed on it: docs/validation.md.
    params.doubleDensity.plasticity = 10;
    params.doubleDensity.hardening = 200;
    params.doubleDensity.hardeningSpeed = 0.5f;
    params.color = {0.93f, 0.9f, 0.82f};
    params.opacity = 1;
    return params;
}

}  // namespace

const std::vector<FluidPreset>& fluidPresets() {
    constexpr auto liquid = FluidKind::liquid, gas = FluidKind::gas;
    static const std::vector<FluidPreset> presets = {
        {"purlWater", FluidParams{}},
        // name                                        ρ₀    mass     μ       σ     k  c_R   x  b
        {"water", material(liquid, 998.29f, 0.02, 3.5f, 0.0728f, 3, 0, 20, 0)},
        {"nearIncompressibleWater", material(liquid, 998.29f, 0.02, 3.5f, 0.0728f, 100, 0, 20, 0)},
        {"mucus", colored(material(liquid, 1000, 0.04, 36, 6, 5, 0.5f, 40, 0), {0.42f, 0.6f, 0.2f}, 0.4f)},
        {"steam", colored(material(gas, 0.59f, 5e-5, 0.01f, 0, 4, 0, 12, 5), {0.85f, 0.87f, 0.9f})},
        // Honey at 25 °C: Yanniotis, Skaltsi and Karaburnioti 2006. Basalt at 1150 °C: Giordano and Dingwell 2003.
        // Milk at 20 °C: 2 mPa·s, Bertsch 1983. Olive oil: 84 mPa·s, Fellows 2000.
        {"honey", colored(viscous(1420, 10, 0.055f), {0.82f, 0.40f, 0.03f}, 0.25f)},
        // At 1150 °C basalt glows orange, brighter than a white surface in the key light.
        {"lava", colored(viscous(2650, 1000, 0.35f), {0.75f, 0.16f, 0.03f}, 1), {2.4f, 0.62f, 0.09f}},
        {"milk", colored(thin(1030, 0.002f, 0.047f), {0.95f, 0.94f, 0.9f}, 1)},
        {"oil", colored(thin(911, 0.084f, 0.032f), {0.82f, 0.70f, 0.12f}, 0.1f)},
        {"cornstarch", cornstarch()},
    };
    return presets;
}

FluidParams fluidPreset(const std::string& name) {
    for (const FluidPreset& preset : fluidPresets())
        if (name == preset.name) return preset.params;
    throw Error("there is no fluid preset \"" + name + "\"; there are: " + joinedNames(fluidPresets()));
}

}  // namespace purl
