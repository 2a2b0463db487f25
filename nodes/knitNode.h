// purlKnit: stitches and yarn on a mesh, which they follow wherever it goes.
#pragma once
#include <maya/MPxNode.h>

#include "nodes/ids.h"
#include "nodes/paramAttributes.h"
#include "nodes/plugs.h"
#include "solver/scene.h"

namespace purl {

class KnitNode : public MPxNode {
  public:
    static constexpr const char* kName = "purlKnit";
    static constexpr unsigned kId = id::kKnit;
    static constexpr const char* kSentence = "A knit: its stitches, its yarn, and the mesh that they follow.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        visit(inMesh_, PlugAbout{"inMesh", "im", PlugType::mesh, PlugUse::in,
                                 "The mesh to knit on, with texture coordinates or rows of quads; it may move, and at "
                                 "the start it is at rest."});
        visit(outBody_, PlugAbout{"outBody", "ob", PlugType::body, PlugUse::out, "To a purlSolver's bodies."});
    }
    template <class Visit>
    static void params(Visit&& visit) {
        visit(params_);
    }

    MStatus compute(const MPlug& plug, MDataBlock& block) override;

  private:
    static inline MObject inMesh_, outBody_;
    static inline ParamAttributes<KnitParams> params_;
};

}  // namespace purl
