// The materials of Kelager 2006, tables 5.2 to 5.4 and §6.5, Purl's own water, and what else a kitchen and a volcano
// hold.
#include <cmath>

#include "solver/core/error.h"
#include "solver/scene.h"

namespace purl {
namespace {

// The tables give a particle's mass; its spacing is ∛(m / ρ₀).
FluidParams material(FluidKind kind, float restDensity, double mass, float viscosity, float surfaceTension,
                     float stiffness, float restitution, float kernelParticles, float buoyancy) {
    FluidParams params;
    params.kind = kind;
    params.restDensity = restDensity;
    params.particleSpacing = static_cast<float>(std::cbrt(mass / restDensity));
    params.kernelParticles = kernelParticles;
    params.stiffness = stiffness;
    params.attraction = 1;
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

// Thick liquids flow as their handbook's viscosity says, by the implicit model, which allows any step.
FluidParams syrup(float restDensity, float viscosity, float surfaceTension) {
    FluidParams params;
    params.restDensity = restDensity;
    params.viscosityModel = ViscosityModel::implicit;
    params.viscosity = viscosity;
    params.surfaceTension = surfaceTension;
    return params;
}

// Thin ones have purlWater's numerical damping and what their handbook's viscosity, Pa·s, is above water's.
FluidParams thin(float restDensity, float viscosity, float surfaceTension) {
    constexpr float kWater = 0.001f;  // Pa·s
    FluidParams params;
    params.restDensity = restDensity;
    params.viscosity += viscosity - kWater;
    params.surfaceTension = surfaceTension;
    return params;
}

// Cornstarch in water, for doubleDensity: hardens tenfold for a second where neighbours shear at half a metre a second
// (Özgen 2013, chapter 5; springs and yield after Clavet 2005). 1200 kg/m³: White, Chellamuthu and Rothstein 2010.
FluidParams cornstarch() {
    FluidParams params;
    params.restDensity = 1200;
    // With another solver than doubleDensity it is a thick liquid that does not harden.
    params.viscosityModel = ViscosityModel::implicit;
    params.viscosity = 5;
    params.stiffness = 20;
    params.nearStiffness = 20;
    params.approachDamping = 30;
    params.impactDamping = 20;
    params.springStiffness = 500;
    params.yieldRatio = 0.01f;
    // A ball of stone thrown at it bounces, and sinks when it is laid down: docs/validation.md.
    params.plasticity = 10;
    params.hardening = 200;
    params.hardeningSpeed = 0.5f;
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
        {"honey", colored(syrup(1420, 10, 0.055f), {0.82f, 0.40f, 0.03f}, 0.25f)},
        {"lava", colored(syrup(2650, 1000, 0.35f), {0.75f, 0.16f, 0.03f}, 1)},
        {"milk", colored(thin(1030, 0.002f, 0.047f), {0.95f, 0.94f, 0.9f}, 1)},
        {"oil", colored(thin(911, 0.084f, 0.032f), {0.82f, 0.70f, 0.12f}, 0.1f)},
        {"cornstarch", cornstarch()},
    };
    return presets;
}

FluidParams fluidPreset(const std::string& name) {
    std::string names;
    for (const FluidPreset& preset : fluidPresets()) {
        if (name == preset.name) return preset.params;
        names += (names.empty() ? "" : ", ") + std::string(preset.name);
    }
    throw Error("fluid preset \"" + name + "\": there is none of that name; there are " + names);
}

}  // namespace purl
