#include "nodes/emitterNode.h"

#include "nodes/boundary.h"
#include "nodes/data.h"
#include "nodes/geometry.h"

namespace purl {

MStatus EmitterNode::compute(const MPlug& plug, MDataBlock& block) {
    if (plug != outEmitter_) return MS::kUnknownParameter;
    return guarded(*this, [&] {
        auto emitter = std::make_shared<Emitter>();
        emitter->name = name().asUTF8();
        emitter->params = params_.read(block);
        Vec3 scale;
        emitter->pose = poseOf(block.inputValue(inMatrix_).asMatrix(), scale);
        emitter->params.radius *= scale.x;
        const EmitterShape shape = emitter->params.shape;
        if (shape == EmitterShape::volume || shape == EmitterShape::surface) {
            MDataHandle mesh = block.inputValue(inMesh_);
            emitter->mesh = worldMesh(mesh);
        } else if (shape == EmitterShape::curve) {
            MDataHandle curve = block.inputValue(inCurve_);
            emitter->curve = worldCurve(curve);
        }
        EmitterData::set(block.outputValue(outEmitter_), emitter);
        block.setClean(plug);
    });
}

}  // namespace purl
