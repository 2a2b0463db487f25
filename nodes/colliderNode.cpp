#include "nodes/colliderNode.h"

#include "nodes/boundary.h"
#include "nodes/data.h"
#include "nodes/geometry.h"

namespace purl {

MStatus ColliderNode::compute(const MPlug& plug, MDataBlock& block) {
    if (plug != outBody_) return MS::kUnknownParameter;
    return guarded(*this, [&] {
        Collider collider;
        collider.name = name().asUTF8();
        collider.params = params_.read(block, &former_);
        if (collider.params.shape == ColliderShape::mesh) {
            MDataHandle mesh = block.inputValue(inMesh_);
            collider.mesh = worldMesh(mesh);
            if (collider.mesh.empty())
                throw Error("mesh has no faces; connect one to inMesh or choose a primitive shape");
        } else {
            Vec3 scale;
            collider.pose = poseOf(block.inputValue(inMatrix_).asMatrix(), scale);
            Vec3& half = collider.params.halfSize;
            half = {half.x * scale.x, half.y * scale.y, half.z * scale.z};
            collider.params.radius *= scale.x;
            collider.params.halfLength *= scale.y;
        }
        auto body = std::make_shared<Scene>();
        body->colliders.push_back(std::move(collider));
        BodyData::set(block.outputValue(outBody_), body);
        block.setClean(plug);
    });
}

}  // namespace purl
