// purlRigid: the pose of a rigid body of a frame as translation, rotation and matrix, to drive a transform.
#pragma once
#include <maya/MPxNode.h>

#include "nodes/ids.h"
#include "nodes/paramAttributes.h"
#include "nodes/plugs.h"

namespace purl {

// In the order of the rotateOrder of a transform, so that they can be connected.
enum class RotateOrder { xyz, yzx, zxy, xzy, yxz, zyx };
inline Choices choicesOf(RotateOrder) { return {"xyz", "yzx", "zxy", "xzy", "yxz", "zyx"}; }

// Selects a rigid body of the frame and the order of its Euler angles.
struct RigidChoice {
    std::string collider;
    int index = 0;
    RotateOrder rotateOrder = RotateOrder::xyz;
};
template <class Visit>
void describe(Visit&& visit, RigidChoice& p) {
    visit(p.collider,
          About{"collider", "col", "",
                "Name of the purlCollider to follow, if inCollider is not connected. Empty: chosen by index."});
    visit(p.index, About{"index", "ix", "", "Index of the rigid body, in the order of the solver's bodies.", 0,
                         kUnbounded, 0, 10});
    visit(p.rotateOrder,
          About{"rotateOrder", "ro", "", "Order of the angles of outRotate; set it to that of the driven transform."});
}

class RigidNode : public MPxNode {
  public:
    static constexpr const char* kName = "purlRigid";
    static constexpr unsigned kId = id::kRigid;
    static constexpr const char* kSentence =
        "The position and rotation of a rigid body, a purlCollider with motion dynamic. Model the geometry of a "
        "primitive around the origin of the driven transform, and that of a mesh where it was connected.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        visit(inFrame_, PlugAbout{"inFrame", "if", PlugType::frame, PlugUse::in, "From a purlSolver or purlCache."});
        visit(inCollider_,
              PlugAbout{"inCollider", "ic", PlugType::body, PlugUse::in,
                        "The purlCollider to follow, from its outBody. Follows it if it is renamed or referenced."});
        visit(outTranslate_, PlugAbout{"outTranslate", "ot", PlugType::translation, PlugUse::out,
                                       "To the translate of a transform, in world space."});
        visit(outRotate_, PlugAbout{"outRotate", "or", PlugType::rotation, PlugUse::out,
                                    "To the rotate of a transform, in world space."});
        visit(outMatrix_, PlugAbout{"outMatrix", "om", PlugType::matrix, PlugUse::out,
                                    "Both as a matrix, to an offsetParentMatrix or a decomposeMatrix."});
    }
    template <class Visit>
    static void params(Visit&& visit) {
        visit(choice_);
    }

    MStatus compute(const MPlug& plug, MDataBlock& block) override;

  private:
    static inline MObject inFrame_, inCollider_, outTranslate_, outRotate_, outMatrix_;
    static inline ParamAttributes<RigidChoice> choice_;
};

}  // namespace purl
