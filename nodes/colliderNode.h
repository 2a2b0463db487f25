// purlCollider: a mesh or a primitive that pushes particles, or holds them in.
#pragma once
#include <maya/MPxNode.h>

#include "nodes/ids.h"
#include "nodes/paramAttributes.h"
#include "nodes/plugs.h"
#include "solver/scene.h"

namespace purl {

class ColliderNode : public MPxNode {
  public:
    static constexpr const char* kName = "purlCollider";
    static constexpr unsigned kId = id::kCollider;
    static constexpr const char* kSentence =
        "Something solid: a mesh or a primitive, as an obstacle or as a container.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        visit(inMesh_, PlugAbout{"inMesh", "im", PlugType::mesh, PlugUse::in,
                                 "The mesh of shape mesh; it may move and deform."});
        visit(inMatrix_, PlugAbout{"inMatrix", "imx", PlugType::matrix, PlugUse::in,
                                   "Where a primitive stands; its scale multiplies the sizes."});
        visit(outBody_, PlugAbout{"outBody", "ob", PlugType::body, PlugUse::out, "To a purlSolver's bodies."});
    }
    template <class Visit>
    static void params(Visit&& visit) {
        visit(params_);
    }

    MStatus compute(const MPlug& plug, MDataBlock& block) override;

  private:
    static inline MObject inMesh_, inMatrix_, outBody_;
    static inline ParamAttributes<ColliderParams> params_;
};

}  // namespace purl
