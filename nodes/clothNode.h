// purlCloth: what a cloth is made of, the mesh it begins as, and where that holds it.
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

enum class ClothPresetChoice { custom, silk, cotton, wool, denim, leather, rubber };
inline Choices choicesOf(ClothPresetChoice) {
    return {"custom", "silk", "cotton", "wool", "denim", "leather", "rubber"};
}

// What fixes a cloth to a collider.
struct ClothAttachment {
    std::string attachTo;
    std::string attachedVertices;
    float attachDistance = Cloth().attachDistance;
};
template <class Visit>
void describe(Visit&& visit, ClothAttachment& p) {
    visit(p.attachTo, About{"attachTo", "att", "",
                            "Name of a purlCollider that vertices are fixed to, moved, bent or falling as it may be."});
    visit(p.attachedVertices,
          About{"attachedVertices", "atv", "",
                "Which, as in \"0 4 10:20\". Empty: those that are in it at the start, or near it."});
    visit(p.attachDistance, About{"attachDistance", "atd", "m", "How near.", 0, kUnbounded, 0, 0.1});
}

class ClothNode : public MPxNode {
  public:
    static constexpr const char* kName = "purlCloth";
    static constexpr unsigned kId = id::kCloth;
    static constexpr const char* kSentence = "A cloth: its fabric, the mesh it begins as, and what holds it.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        describeFabricPlugs(visit, fabric_,
                            "The mesh at the start, of any polygons; later only what is pinned follows it.",
                            "How firmly each vertex follows the mesh: 0 free, 1 pinned; may be painted.");
        visit(outBody_, PlugAbout{"outBody", "ob", PlugType::body, PlugUse::out, "To a purlSolver's bodies."});
    }
    template <class Visit>
    static void params(Visit&& visit) {
        visit(nodeParams_);
        visit(attachment_);
        visit(params_);
        visit(maps_);
        visit(pores_);
    }

    static std::vector<PresetReference> presets() { return presetsOf(fabrics()); }

    MStatus compute(const MPlug& plug, MDataBlock& block) override;

  private:
    static inline FabricPlugs fabric_;
    static inline MObject outBody_;
    static inline ParamAttributes<MaterialAndPins<ClothPresetChoice>> nodeParams_;
    static inline ParamAttributes<ClothAttachment> attachment_;
    static inline ParamAttributes<ClothParams> params_;
    static inline ParamAttributes<FabricMaps> maps_;
    static inline ParamAttributes<WetParams> pores_;
};

}  // namespace purl
