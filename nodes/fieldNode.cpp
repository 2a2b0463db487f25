#include "nodes/fieldNode.h"

#include "nodes/boundary.h"
#include "nodes/data.h"
#include "nodes/geometry.h"

namespace purl {

MStatus FieldNode::compute(const MPlug& plug, MDataBlock& block) {
    if (plug != outBody_) return MS::kUnknownParameter;
    return guarded(*this, [&] {
        Field field;
        field.name = name().asUTF8();
        field.params = params_.read(block);
        Vec3 scale;
        field.position = poseOf(block.inputValue(inMatrix_).asMatrix(), scale).position;
        auto body = std::make_shared<Scene>();
        body->fields.push_back(std::move(field));
        BodyData::set(block.outputValue(outBody_), body);
        block.setClean(plug);
    });
}

}  // namespace purl
