#include "nodes/rigidNode.h"

#include <maya/MEulerRotation.h>
#include <maya/MMatrix.h>
#include <maya/MPlug.h>

#include "nodes/boundary.h"
#include "nodes/data.h"
#include "nodes/names.h"

namespace purl {
namespace {

const Rigid& chosen(const Frame& frame, const WantedBody& wanted, int index) {
    const int found = wanted.isAny() ? index : wanted.indexIn(frame.rigids);
    if (found >= 0 && static_cast<size_t>(found) < frame.rigids.size()) return frame.rigids[static_cast<size_t>(found)];
    if (wanted.isAny())
        throw Error("index " + std::to_string(index) + " is out of range; the frame has " +
                    std::to_string(frame.rigids.size()) +
                    " rigid bodies. Connect colliders with motion dynamic to the solver, or choose a lower index");
    throw Error("collider \"" + wanted.name() +
                "\" is not a rigid body of the frame; set its motion to dynamic, or enter another name");
}

// Maya's matrices act on row vectors: row i is the image of axis i.
MMatrix matrixOf(const Rigid& rigid) {
    MMatrix matrix;
    const Vec3 rows[] = {rigid.axes.x, rigid.axes.y, rigid.axes.z, rigid.position};
    for (unsigned i = 0; i < 4; ++i)
        for (unsigned k = 0; k < 3; ++k) matrix(i, k) = double(rows[i][static_cast<int>(k)]);
    return matrix;
}

}  // namespace

MStatus RigidNode::compute(const MPlug& plug, MDataBlock& block) {
    const MPlug whole = plug.isChild() ? plug.parent() : plug;
    if (whole != outTranslate_ && whole != outRotate_ && whole != outMatrix_) return MS::kUnknownParameter;
    MStatus status;
    const MDataHandle input = block.inputValue(inFrame_, &status);
    if (!status) return status;  // already reported by the node that failed
    return guarded(*this, [&] {
        const auto frame = FrameData::get(input);
        if (!frame) throw Error("inFrame gives no frame; connect a purlSolver's or purlCache's outFrame");
        const RigidChoice choice = choice_.read(block);
        const Rigid& rigid = chosen(*frame, wantedBody(block, inCollider_, choice.collider, *this), choice.index);
        const MMatrix matrix = matrixOf(rigid);
        const MEulerRotation turn =
            MEulerRotation::decompose(matrix, static_cast<MEulerRotation::RotationOrder>(choice.rotateOrder));

        MDataHandle translate = block.outputValue(outTranslate_);
        translate.set3Double(double(rigid.position.x), double(rigid.position.y), double(rigid.position.z));
        translate.setClean();
        MDataHandle rotate = block.outputValue(outRotate_);
        rotate.set3Double(turn.x, turn.y, turn.z);
        rotate.setClean();
        MDataHandle out = block.outputValue(outMatrix_);
        out.setMMatrix(matrix);
        out.setClean();
    });
}

}  // namespace purl
