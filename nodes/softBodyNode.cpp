#include "nodes/softBodyNode.h"

#include <maya/MFnVectorArrayData.h>
#include <maya/MVectorArray.h>

#include "nodes/boundary.h"
#include "nodes/data.h"
#include "nodes/geometry.h"

namespace purl {
namespace {

// The vectors on a plug; empty if nothing is connected.
std::vector<Vec3> pointsOf(MDataHandle handle) {
    std::vector<Vec3> points;
    const MObject data = handle.data();
    if (data.isNull()) return points;
    MStatus status;
    MFnVectorArrayData from(data, &status);
    if (!status) return points;
    const MVectorArray values = from.array();
    for (unsigned i = 0; i < values.length(); ++i)
        points.push_back(
            {static_cast<float>(values[i].x), static_cast<float>(values[i].y), static_cast<float>(values[i].z)});
    return points;
}

}  // namespace

MStatus SoftBodyNode::compute(const MPlug& plug, MDataBlock& block) {
    if (plug != outBody_) return MS::kUnknownParameter;
    return guarded(*this, [&] {
        SoftBody soft;
        soft.name = name().asUTF8();
        const auto own = nodeParams_.read(block);
        soft.params = own.applyTo(params_.read(block), softMaterials());
        MDataHandle mesh = block.inputValue(inMesh_);
        worldFaces(mesh, soft.points, soft.faces);
        if (soft.faces.empty()) soft.points = pointsOf(block.inputValue(inPoints_));
        if (soft.points.empty()) throw Error("has no points; connect a mesh to inMesh or points to inPoints");
        soft.pins = mapOf(block.inputValue(pins_));
        own.pin(soft.pins, soft.points.size());
        Vec3 scale;
        soft.dragTo = poseOf(block.inputValue(inDrag_).asMatrix(), scale).position;
        auto body = std::make_shared<Scene>();
        body->softBodies.push_back(std::move(soft));
        BodyData::set(block.outputValue(outBody_), body);
        block.setClean(plug);
    });
}

}  // namespace purl
