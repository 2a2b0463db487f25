// purlKnit: stitches and yarn on a mesh, which they follow wherever it goes, or are held by.
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

enum class KnitPresetChoice { custom, fineMerino, worsted, chunky, cottonJersey, acrylic, mohair };
inline Choices choicesOf(KnitPresetChoice) {
    return {"custom", "fineMerino", "worsted", "chunky", "cottonJersey", "acrylic", "mohair"};
}

class KnitNode : public MPxNode {
  public:
    static constexpr const char* kName = "purlKnit";
    static constexpr unsigned kId = id::kKnit;
    static constexpr const char* kSentence =
        "A knit: its stitches, its yarn, and the mesh that they follow, or begin as and are held by.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        describeFabricPlugs(
            visit, fabric_,
            "The mesh to knit on, with texture coordinates or rows of quads; it may move, and at the start it is at "
            "rest.",
            "How firmly what is knitted at each vertex follows the mesh: 0 free, 1 pinned; may be painted.");
        visit(outBody_, PlugAbout{"outBody", "ob", PlugType::body, PlugUse::out, "To a purlSolver's bodies."});
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

  private:
    static inline FabricPlugs fabric_;
    static inline MObject outBody_;
    static inline ParamAttributes<MaterialAndPins<KnitPresetChoice>> nodeParams_;
    static inline ParamAttributes<KnitParams> params_;
    static inline ParamAttributes<FabricMaps> maps_;
    static inline ParamAttributes<YarnWetParams> pores_;
};

}  // namespace purl
