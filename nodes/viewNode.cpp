#include "nodes/viewNode.h"

#include <maya/MDagPath.h>
#include <maya/MDataBlock.h>
#include <maya/MDataHandle.h>
#include <maya/MMatrix.h>
#include <maya/MPoint.h>
#include <maya/MStatus.h>

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
    MBoundingBox box = worldBounds();
    MDagPath path;
    if (MDagPath::getAPathTo(thisMObject(), path)) box.transformUsing(path.inclusiveMatrixInverse());
    return box;
}

MBoundingBox ViewNode::worldBounds() const {
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
