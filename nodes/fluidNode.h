// purlFluid: what a fluid is made of, the meshes it fills at the start, and the emitters that feed it.
#pragma once
#include <maya/MPxNode.h>

#include "nodes/ids.h"
#include "nodes/paramAttributes.h"
#include "nodes/plugs.h"
#include "nodes/reference.h"
#include "solver/scene.h"

namespace purl {

enum class FluidPresetChoice {
    custom,
    purlWater,
    water,
    nearIncompressibleWater,
    mucus,
    steam,
    honey,
    lava,
    milk,
    oil,
    cornstarch
};
inline Choices choicesOf(FluidPresetChoice) {
    return {"custom", "purlWater", "water",     "nearIncompressibleWater", "mucus", "steam", "honey", "lava",
            "milk",   "oil",       "cornstarch"};
}

struct FluidNodeParams {
    FluidPresetChoice preset = FluidPresetChoice::custom;
};
template <class Visit>
void describe(Visit&& visit, FluidNodeParams& p) {
    visit(p.preset,
          About{"preset", "pre", "",
                "custom uses the attributes below. A named material replaces them with its own values, except for "
                "particleSpacing, jitter and startVelocity; its color and opacity apply where these attributes have "
                "their defaults."});
}

// Light that a material emits: zero for all but lava. Pictures show it where the mesh has no shader of its own.
Vec3 glowOf(FluidPresetChoice preset);

class FluidNode : public MPxNode {
  public:
    static constexpr const char* kName = "purlFluid";
    static constexpr unsigned kId = id::kFluid;
    static constexpr const char* kSentence = "A fluid: its material, the meshes it fills at the start, its emitters.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        visit(inMesh_,
              PlugAbout{"inMesh", "im", PlugType::mesh, PlugUse::inArray, "Closed meshes filled at the start."});
        visit(inEmitter_,
              PlugAbout{"inEmitter", "ie", PlugType::emitter, PlugUse::inArray, "Emitters that feed the fluid."});
        visit(outBody_, PlugAbout{"outBody", "ob", PlugType::body, PlugUse::out, "To a purlSolver's bodies."});
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
};

}  // namespace purl
