#include "nodes/viewNode.h"

#include "nodes/data.h"
#include "solver/frame.h"

namespace purl {

MBoundingBox ViewNode::boundingBox() const {
    MBoundingBox box;
    MStatus status;
    // Maya's forceCache is not const, though this asks for nothing but a value.
    MDataBlock block = const_cast<ViewNode*>(this)->forceCache();
    const MDataHandle input = block.inputValue(inFrame_, &status);
    const auto frame = status ? FrameData::get(input) : nullptr;
    if (!frame) return box;
    const auto include = [&](const std::vector<Vec3>& positions) {
        for (const Vec3 p : positions)
            if (isFinite(p)) box.expand(MPoint(p.x, p.y, p.z));
    };
    include(frame->points.positions);
    for (const Mesh& mesh : frame->meshes) include(mesh.positions);
    for (const Curves& curves : frame->curves) include(curves.positions);
    return box;
}

}  // namespace purl
