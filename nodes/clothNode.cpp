#include "nodes/clothNode.h"

#include "nodes/boundary.h"
#include "nodes/data.h"

namespace purl {

MStatus ClothNode::compute(const MPlug& plug, MDataBlock& block) {
    if (plug != outBody_) return MS::kUnknownParameter;
    return guarded(*this, [&] {
        Cloth cloth;
        cloth.name = name().asUTF8();
        const auto own = nodeParams_.read(block);
        cloth.params = own.applyTo(params_.read(block, &former_), fabrics());
        readFabric(block, fabric_, maps_, pores_, own, former_, cloth);
        const ClothAttachment attachment = attachment_.read(block);
        cloth.attachTo = attachment.attachTo;
        cloth.attachedVertices = listed("attachedVertices", attachment.attachedVertices, cloth.points.size());
        cloth.attachDistance = attachment.attachDistance;
        auto body = std::make_shared<Scene>();
        body->cloths.push_back(std::move(cloth));
        BodyData::set(block.outputValue(outBody_), body);
        block.setClean(plug);
    });
}

}  // namespace purl
