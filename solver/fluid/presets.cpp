// The materials of Kelager 2006, tables 5.2 to 5.4 and §6.5, and Purl's own water.
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
    params.viscosity = viscosity;
    params.surfaceTension = surfaceTension;
    params.buoyancy = buoyancy;
    params.restitution = restitution;
    return params;
}

FluidParams colored(FluidParams params, Vec3 color) {
    params.color = color;
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
        {"mucus", colored(material(liquid, 1000, 0.04, 36, 6, 5, 0.5f, 40, 0), {0.42f, 0.6f, 0.2f})},
        {"steam", colored(material(gas, 0.59f, 5e-5, 0.01f, 0, 4, 0, 12, 5), {0.85f, 0.87f, 0.9f})},
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
