// purlKnit: stitches and yarn on a mesh, which they follow or are simulated on.
#pragma once
#include <maya/MPxNode.h>

#include "nodes/fabric.h"
#include "nodes/ids.h"
#include "nodes/paramAttributes.h"
#include "nodes/pins.h"
#include "nodes/plugs.h"
#include "nodes/reference.h"
#include "solver/scene.h"

namespace purl {

enum class KnitPresetChoice : int { custom };
inline Choices choicesOf(KnitPresetChoice) { return presetChoices(gauges().rows); }
inline const char* presetHeading(KnitPresetChoice) { return "Yarn and pins"; }

class KnitNode : public MPxNode {
  public:
    static constexpr const char* kName = "purlKnit";
    static constexpr unsigned kId = id::kKnit;
    static constexpr const char* kSentence =
        "A knit: its stitches, its yarn, and the mesh that it follows or starts from.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        describeFabricPlugs(
            visit, fabric_,
            "The mesh to knit on, with UVs or rows of quads. It may be animated; its shape at the start is at rest.",
            "How firmly the knit at each vertex follows the mesh: 0 is free, 1 is pinned. Paintable.");
        visit(outBody_, PlugAbout{"outBody", "ob", PlugType::body, PlugUse::out, "To the bodies of a purlSolver."});
    }
    template <class Visit>
    static void params(Visit&& visit) {
        visit(nodeParams_);
        visit(params_);
        visit(maps_);
        visit(pores_);
    }

    static std::vector<PresetReference> presets() { return presetsOf(gauges()); }

    MStatus compute(const MPlug& plug, MDataBlock& block) override;
    static constexpr const char* kFileAttribute = "pattern";
    std::vector<std::string> inputFiles() const;
    MStringArray getFilesToArchive(bool, bool, bool) const override { return archived(inputFiles()); }

  private:
    static inline FabricPlugs fabric_;
    static inline MObject outBody_;
    static inline ParamAttributes<MaterialAndPins<KnitPresetChoice>> nodeParams_;
    static inline ParamAttributes<KnitParams> params_;
    static inline ParamAttributes<FabricMaps> maps_;
    static inline ParamAttributes<YarnWetParams> pores_;
    FormerValues former_{*this};
};

}  // namespace purl
