#include "nodes/viewNode.h"

#include "nodes/data.h"
#include "solver/frame.h"

namespace purl {

// MPxNode::forceCache is not const, although only values are read here.
std::shared_ptr<const Frame> ViewNode::frame() const {
    MStatus status;
    MDataBlock block = const_cast<ViewNode*>(this)->forceCache();
    const MDataHandle input = block.inputValue(inFrame_, &status);
    return status ? FrameData::get(input) : nullptr;
}

ViewParams ViewNode::display() const {
    MDataBlock block = const_cast<ViewNode*>(this)->forceCache();
    return params_.read(block);
}

MBoundingBox ViewNode::boundingBox() const {
    MBoundingBox box;
    const auto frame = this->frame();
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
