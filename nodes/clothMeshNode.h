// purlClothMesh: a cloth or soft body of a frame as a mesh, with the faces and UVs of its original mesh.
#pragma once
#include <maya/MPxNode.h>

#include "nodes/ids.h"
#include "nodes/paramAttributes.h"
#include "nodes/plugs.h"
#include "nodes/wetting.h"

namespace purl {

struct ClothChoice {
    std::string cloth;
};
template <class Visit>
void describe(Visit&& visit, ClothChoice& p) {
    visit(p.cloth, About{"cloth", "clo", "",
                         "Name of the cloth or soft body to show, if inCloth is not connected. Empty: the first."});
}

class ClothMeshNode : public MPxNode {
  public:
    static constexpr const char* kName = "purlClothMesh";
    static constexpr unsigned kId = id::kClothMesh;
    static constexpr const char* kSentence = "A cloth or soft body of a frame as a mesh.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        visit(inFrame_, PlugAbout{"inFrame", "if", PlugType::frame, PlugUse::in, "From a purlSolver or purlCache."});
        visit(
            inCloth_,
            PlugAbout{"inCloth", "ic", PlugType::body, PlugUse::in,
                      "The cloth or soft body to show, from its outBody. Follows it if it is renamed or referenced."});
        visit(outMesh_, PlugAbout{"outMesh", "om", PlugType::mesh, PlugUse::out, "To the inMesh of a mesh shape."});
        visit(outColors_,
              PlugAbout{"outColors", "ocl", PlugType::vectors, PlugUse::out,
                        "Colour of each vertex of an absorbing cloth: darker and stained where it is wet."});
        describeWetting(visit, wetting_);
    }
    template <class Visit>
    static void params(Visit&& visit) {
        visit(choice_);
    }

    MStatus compute(const MPlug& plug, MDataBlock& block) override;

  private:
    static inline MObject inFrame_, inCloth_, outMesh_, outColors_;
    static inline WettingPlugs wetting_;
    static inline ParamAttributes<ClothChoice> choice_;
};

}  // namespace purl
