// purlKnit: stitches and yarn on a mesh, which they follow wherever it goes, or are held by.
#pragma once
#include <maya/MPxNode.h>

#include "nodes/ids.h"
#include "nodes/paramAttributes.h"
#include "nodes/pins.h"
#include "nodes/plugs.h"
#include "nodes/pores.h"
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
        visit(inMesh_, PlugAbout{"inMesh", "im", PlugType::mesh, PlugUse::in,
                                 "The mesh to knit on, with texture coordinates or rows of quads; it may move, and at "
                                 "the start it is at rest."});
        visit(pins_, PlugAbout{"pins", "pns", PlugType::doubles, PlugUse::in,
                               "How firmly what is knitted at each vertex follows the mesh: 0 free, 1 pinned; may be "
                               "painted."});
        visit(stiffnessMap_, PlugAbout{"stiffnessMap", "stm", PlugType::doubles, PlugUse::in,
                                       "Factor of the stiffness at each vertex; may be painted."});
        visit(massMap_, PlugAbout{"massMap", "msm", PlugType::doubles, PlugUse::in,
                                  "Factor of the mass at each vertex; may be painted."});
        describePoreMaps(visit, poreMaps_);
        visit(outBody_, PlugAbout{"outBody", "ob", PlugType::body, PlugUse::out, "To a purlSolver's bodies."});
    }
    template <class Visit>
    static void params(Visit&& visit) {
        visit(nodeParams_);
        visit(params_);
        visit(pores_);
    }

    MStatus compute(const MPlug& plug, MDataBlock& block) override;

  private:
    static inline MObject inMesh_, pins_, stiffnessMap_, massMap_, outBody_;
    static inline ParamAttributes<MaterialAndPins<KnitPresetChoice>> nodeParams_;
    static inline ParamAttributes<KnitParams> params_;
    static inline ParamAttributes<WetParams> pores_;
    static inline PoreMapPlugs poreMaps_;
};

}  // namespace purl
