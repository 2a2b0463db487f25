// purlRigid: a rigid body of a frame as a translation, a rotation and a matrix, to drive a transform with.
#pragma once
#include <maya/MPxNode.h>

#include "nodes/ids.h"
#include "nodes/paramAttributes.h"
#include "nodes/plugs.h"

namespace purl {

// In the order of a transform's own rotateOrder, so that the one can drive the other.
enum class RotateOrder { xyz, yzx, zxy, xzy, yxz, zyx };
inline Choices choicesOf(RotateOrder) { return {"xyz", "yzx", "zxy", "xzy", "yxz", "zyx"}; }

// Which rigid body of the frame, and how its rotation is written.
struct RigidChoice {
    std::string collider;
    int index = 0;
    RotateOrder rotateOrder = RotateOrder::xyz;
};
template <class Visit>
void describe(Visit&& visit, RigidChoice& p) {
    visit(p.collider,
          About{"collider", "col", "", "Name of the purlCollider to follow. Empty: the one of that index."});
    visit(p.index,
          About{"index", "ix", "", "Which rigid body, in the order of the solver's bodies.", 0, kUnbounded, 0, 10});
    visit(p.rotateOrder, About{"rotateOrder", "ro", "", "Of outRotate: that of the transform it drives."});
}

class RigidNode : public MPxNode {
  public:
    static constexpr const char* kName = "purlRigid";
    static constexpr unsigned kId = id::kRigid;
    static constexpr const char* kSentence =
        "Where a rigid body is: a purlCollider of motion dynamic. A primitive's geometry belongs about the origin of "
        "the "
        "transform that is driven; a mesh's where it was connected.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        visit(inFrame_, PlugAbout{"inFrame", "if", PlugType::frame, PlugUse::in, "From a purlSolver or purlCache."});
        visit(outTranslate_, PlugAbout{"outTranslate", "ot", PlugType::translation, PlugUse::out,
                                       "To a transform's translate, in world space."});
        visit(outRotate_,
              PlugAbout{"outRotate", "or", PlugType::rotation, PlugUse::out, "To its rotate, in world space."});
        visit(outMatrix_, PlugAbout{"outMatrix", "om", PlugType::matrix, PlugUse::out,
                                    "Both as one, to an offsetParentMatrix or a decomposeMatrix."});
    }
    template <class Visit>
    static void params(Visit&& visit) {
        visit(choice_);
    }

    MStatus compute(const MPlug& plug, MDataBlock& block) override;

  private:
    static inline MObject inFrame_, outTranslate_, outRotate_, outMatrix_;
    static inline ParamAttributes<RigidChoice> choice_;
};

}  // namespace purl
