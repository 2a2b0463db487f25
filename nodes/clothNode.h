// purlCloth: the fabric of a cloth, its initial mesh, and its pins and attachments.
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

enum class ClothPresetChoice : int { custom };
inline Choices choicesOf(ClothPresetChoice) { return presetChoices(fabrics().rows); }
inline const char* presetHeading(ClothPresetChoice) { return "Fabric and pins"; }

// Attaches vertices of a cloth to a collider.
struct ClothAttachment {
    std::string attachTo;
    std::string attachedVertices;
    float attachDistance = Cloth().attachDistance;
};
template <class Visit>
void describe(Visit&& visit, ClothAttachment& p) {
    visit(p.attachTo, About{"attachTo", "att", "",
                            "Name of a purlCollider to attach vertices to. It may be animated, deforming or dynamic."});
    visit(p.attachedVertices,
          About{"attachedVertices", "atv", "",
                "Vertices to attach, such as \"0 4 10:20\". Empty: all that are inside the collider "
                "or within attachDistance at the start."});
    visit(p.attachDistance,
          About{"attachDistance", "atd", "m", "Distance within which vertices are attached if none are listed.", 0,
                kUnbounded, 0, 0.1});
}

class ClothNode : public MPxNode {
  public:
    static constexpr const char* kName = "purlCloth";
    static constexpr unsigned kId = id::kCloth;
    static constexpr const char* kSentence = "A cloth: its fabric, its initial mesh, and its pins.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        describeFabricPlugs(visit, fabric_,
                            "The initial mesh, of any polygons. Afterwards only pinned vertices follow it.",
                            "How firmly each vertex follows the mesh: 0 is free, 1 is pinned. Paintable.");
        visit(outBody_, PlugAbout{"outBody", "ob", PlugType::body, PlugUse::out, "To the bodies of a purlSolver."});
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
    FormerValues former_{*this};
};

}  // namespace purl
