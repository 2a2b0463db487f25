// purlCollider: a mesh or a primitive that bodies collide with, as an obstacle or a container.
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
    static constexpr const char* kSentence = "A solid mesh or primitive, as an obstacle or a container.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        visit(inMesh_, PlugAbout{"inMesh", "im", PlugType::mesh, PlugUse::in,
                                 "The mesh, for shape mesh. It may move and deform."});
        visit(inMatrix_, PlugAbout{"inMatrix", "imx", PlugType::matrix, PlugUse::in,
                                   "Placement of a primitive. Its scale multiplies the sizes."});
        visit(outBody_, PlugAbout{"outBody", "ob", PlugType::body, PlugUse::out, "To the bodies of a purlSolver."});
    }
    template <class Visit>
    static void params(Visit&& visit) {
        visit(params_);
    }

    MStatus compute(const MPlug& plug, MDataBlock& block) override;

  private:
    static inline MObject inMesh_, inMatrix_, outBody_;
    static inline ParamAttributes<ColliderParams> params_;
    FormerValues former_{*this};
};

}  // namespace purl
