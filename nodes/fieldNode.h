// purlField: an acceleration within a radius or everywhere, added to gravity.
#pragma once
#include <maya/MPxNode.h>

#include "nodes/ids.h"
#include "nodes/paramAttributes.h"
#include "nodes/plugs.h"
#include "solver/scene.h"

namespace purl {

class FieldNode : public MPxNode {
  public:
    static constexpr const char* kName = "purlField";
    static constexpr unsigned kId = id::kField;
    static constexpr const char* kSentence = "An acceleration on everything in its reach, added to gravity.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        visit(inMatrix_, PlugAbout{"inMatrix", "imx", PlugType::matrix, PlugUse::in,
                                   "Position of the field, if it has a radius."});
        visit(outBody_, PlugAbout{"outBody", "ob", PlugType::body, PlugUse::out, "To the bodies of a purlSolver."});
    }
    template <class Visit>
    static void params(Visit&& visit) {
        visit(params_);
    }

    MStatus compute(const MPlug& plug, MDataBlock& block) override;

  private:
    static inline MObject inMatrix_, outBody_;
    static inline ParamAttributes<FieldParams> params_;
};

}  // namespace purl
