// purlFluid: the material of a fluid, the meshes it fills at the start, and its emitters.
#pragma once
#include <maya/MPxNode.h>

#include "nodes/ids.h"
#include "nodes/paramAttributes.h"
#include "nodes/plugs.h"
#include "nodes/preset.h"
#include "nodes/reference.h"
#include "solver/scene.h"

namespace purl {

enum class FluidPresetChoice : int { custom };
inline Choices choicesOf(FluidPresetChoice) { return presetChoices(fluidPresets()); }

struct FluidNodeParams {
    FluidPresetChoice preset = FluidPresetChoice::custom;
};
template <class Visit>
void describe(Visit&& visit, FluidNodeParams& p) {
    visit(p.preset,
          About{"preset", "pre", "",
                "custom: uses the attributes below. A named material replaces them, except for particleSpacing, jitter "
                "and startVelocity; its color and opacity apply unless these attributes were changed."}
              .section("Material", SectionPlace::identity)
              .initialOnly());
}

// Light emitted by a preset, linear RGB; zero for custom. Previews show it if the mesh has no shader.
Vec3 glowOf(FluidPresetChoice preset);

class FluidNode : public MPxNode {
  public:
    static constexpr const char* kName = "purlFluid";
    static constexpr unsigned kId = id::kFluid;
    static constexpr const char* kSentence =
        "A fluid: its material, the meshes it fills at the start, and its emitters.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        visit(inMesh_, PlugAbout{"inMesh", "im", PlugType::mesh, PlugUse::inArray,
                                 "Closed meshes that are filled at the start."});
        visit(inEmitter_,
              PlugAbout{"inEmitter", "ie", PlugType::emitter, PlugUse::inArray, "Emitters that feed the fluid."});
        visit(outBody_, PlugAbout{"outBody", "ob", PlugType::body, PlugUse::out, "To the bodies of a purlSolver."});
    }
    template <class Visit>
    static void params(Visit&& visit) {
        visit(nodeParams_);
        visit(params_);
    }

    static std::vector<PresetReference> presets();

    MStatus compute(const MPlug& plug, MDataBlock& block) override;

  private:
    static inline MObject inMesh_, inEmitter_, outBody_;
    static inline ParamAttributes<FluidNodeParams> nodeParams_;
    static inline ParamAttributes<FluidParams> params_;
    FormerValues former_{*this};
};

}  // namespace purl
