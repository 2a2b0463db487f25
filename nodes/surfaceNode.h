// purlSurface: the mesh around a liquid's particles, for the viewport and, along outFrame, for caches and pictures.
#pragma once
#include <maya/MPxNode.h>

#include "nodes/ids.h"
#include "nodes/paramAttributes.h"
#include "nodes/plugs.h"
#include "nodes/pointsNode.h"
#include "solver/surface/surface.h"

namespace purl {

class SurfaceNode : public MPxNode {
  public:
    static constexpr const char* kName = "purlSurface";
    static constexpr unsigned kId = id::kSurface;
    static constexpr const char* kSentence = "The mesh around a liquid's particles.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        visit(inFrame_,
              PlugAbout{"inFrame", "if", PlugType::frame, PlugUse::in, "From a purlSolver, purlCache or purlSurface."});
        visit(outMesh_, PlugAbout{"outMesh", "om", PlugType::mesh, PlugUse::out, "To a mesh shape's inMesh."});
        visit(outFrame_, PlugAbout{"outFrame", "of", PlugType::frame, PlugUse::out, "The frame with the mesh put in."});
    }
    template <class Visit>
    static void params(Visit&& visit) {
        visit(choice_);
        visit(params_);
    }

    MStatus compute(const MPlug& plug, MDataBlock& block) override;

  private:
    static inline MObject inFrame_, outMesh_, outFrame_;
    static inline ParamAttributes<BodyChoice> choice_;
    static inline ParamAttributes<SurfaceParams> params_;
};

}  // namespace purl
