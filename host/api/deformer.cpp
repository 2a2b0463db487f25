// MPxDeformerNode and MItGeometry.
#include <maya/MArrayDataHandle.h>
#include <maya/MDataBlock.h>
#include <maya/MPointArray.h>
#include <maya/MPxDeformerNode.h>

#include "host/api/access.h"
#include "host/api/geometry.h"
#include "host/builtin/builtin.h"

namespace Autodesk::Maya::OpenMayaHost {

using namespace purl::host;

MObject MPxDeformerNode::input, MPxDeformerNode::inputGeom, MPxDeformerNode::groupId, MPxDeformerNode::outputGeom,
    MPxDeformerNode::envelope, MPxDeformerNode::weightList, MPxDeformerNode::weights;

}  // namespace Autodesk::Maya::OpenMayaHost

namespace purl::host {

// The base type of deformers, with what they have in common.
void addDeformerTypes() {
    using Deformer = MPxDeformerNode;
    Type& filter = addType("geometryFilter");
    const AttrPtr geometry = typed("inputGeometry", "ig", DataType::Any), group = number("groupId", "gi", 0, Kind::Int),
                  painted = array(number("weights", "w", 1, Kind::Float));
    const AttrPtr inputs = filter.add(array(compound("input", "ip", {geometry, group}))),
                  envelope = filter.add(keyable(number("envelope", "en", 1, Kind::Float))),
                  weights = filter.add(array(compound("weightList", "wl", {painted}))),
                  out = filter.add(array(output(typed("outputGeometry", "og", DataType::Any))));
    filter.affects({inputs, geometry, group, envelope, weights, painted}, {out});
    Api::set(Deformer::input, inputs);
    Api::set(Deformer::inputGeom, geometry);
    Api::set(Deformer::groupId, group);
    Api::set(Deformer::envelope, envelope);
    Api::set(Deformer::weightList, weights);
    Api::set(Deformer::weights, painted);
    Api::set(Deformer::outputGeom, out);
}

}  // namespace purl::host

namespace Autodesk::Maya::OpenMayaHost {

MPxNode::Type MPxDeformerNode::type() const { return kDeformerNode; }

MStatus MPxDeformerNode::deform(MDataBlock&, MItGeometry&, const MMatrix&, unsigned int) {
    return MStatus::kUnknownParameter;
}

MStatus MPxDeformerNode::compute(const MPlug& plug, MDataBlock& block) {
    if (plug != outputGeom || !plug.isElement()) return MStatus::kUnknownParameter;
    const unsigned int index = plug.logicalIndex();
    MStatus status;
    MArrayDataHandle inputs = block.inputArrayValue(input, &status);
    if (!status) return status;
    if (!inputs.jumpToElement(index)) {
        report(Severity::Error, std::string(plug.name().asChar()) + ": nothing is connected to input[" +
                                    std::to_string(index) + "].inputGeometry");
        return MStatus::kFailure;
    }
    MDataHandle geometry = inputs.inputValue().child(inputGeom);
    const auto data = Api::as<Data>(geometry.data());
    if (!data) {
        report(Severity::Error, std::string(plug.name().asChar()) + ": there is no geometry to deform");
        return MStatus::kFailure;
    }
    MMatrix localToWorld;
    if (const auto mesh = std::dynamic_pointer_cast<MeshData>(data)) localToWorld = mesh->matrix;
    if (const auto curve = std::dynamic_pointer_cast<CurveData>(data)) localToWorld = curve->matrix;
    MDataHandle out = block.outputValue(plug);
    out.setMObject(Api::make(std::static_pointer_cast<Object>(data->clone())));
    MItGeometry points(out);
    status = deform(block, points, localToWorld, index);
    return status ? block.setClean(plug) : status;
}

float MPxDeformerNode::weightValue(MDataBlock& block, unsigned int multiIndex, unsigned int pointIndex) {
    MArrayDataHandle lists = block.inputArrayValue(weightList);
    if (!lists.jumpToElement(multiIndex)) return 1;
    MArrayDataHandle own(lists.inputValue().child(weights));
    return own.jumpToElement(pointIndex) ? own.inputValue().asFloat() : 1;
}

// --- MItGeometry

MItGeometry::MItGeometry(MDataHandle& handle, bool readOnly, MStatus* status)
    : geometry_(Api::as<Data>(handle.data())), readOnly_(readOnly || !Api::writable(handle)) {
    setStatus(status, count() >= 0 ? MStatus::kSuccess : MStatus::kInvalidParameter);
}
MItGeometry::MItGeometry(const MDagPath& path, MStatus* status) {
    const MObject shape = path.node();
    if (const auto mesh = readGeometry<MeshData>(shape, "outMesh"))
        geometry_ = mesh->clone();
    else if (const auto curve = readGeometry<CurveData>(shape, "local"))
        geometry_ = curve->clone();
    setStatus(status, count() >= 0 ? MStatus::kSuccess : MStatus::kInvalidParameter);
}

int MItGeometry::count(MStatus* status) const {
    setStatus(status, MStatus::kSuccess);
    if (const auto mesh = std::dynamic_pointer_cast<MeshData>(geometry_)) return mesh->vertexCount();
    if (const auto curve = std::dynamic_pointer_cast<CurveData>(geometry_)) return static_cast<int>(curve->cvs.size());
    setStatus(status, MStatus::kFailure);
    return -1;
}
bool MItGeometry::isDone(MStatus* status) const { return at_ >= count(status); }
MStatus MItGeometry::next() {
    ++at_;
    return MStatus::kSuccess;
}
MStatus MItGeometry::reset() {
    at_ = 0;
    return MStatus::kSuccess;
}
int MItGeometry::index(MStatus* status) const {
    setStatus(status, isDone() ? MStatus::kFailure : MStatus::kSuccess);
    return at_;
}

MPoint MItGeometry::position(MSpace::Space space, MStatus* status) const {
    const bool valid = !isDone() && space != MSpace::kWorld;
    setStatus(status, valid ? MStatus::kSuccess : MStatus::kInvalidParameter);
    if (!valid) return {};
    if (const auto curve = std::dynamic_pointer_cast<CurveData>(geometry_)) return curve->cvs[static_cast<size_t>(at_)];
    const float* p = &std::static_pointer_cast<MeshData>(geometry_)->points[3 * static_cast<size_t>(at_)];
    return {double(p[0]), double(p[1]), double(p[2])};
}
MStatus MItGeometry::setPosition(const MPoint& point, MSpace::Space space) {
    if (readOnly_ || isDone() || space == MSpace::kWorld) return MStatus::kInvalidParameter;
    if (const auto curve = std::dynamic_pointer_cast<CurveData>(geometry_)) {
        curve->cvs[static_cast<size_t>(at_)] = point;
        return MStatus::kSuccess;
    }
    float* p = &std::static_pointer_cast<MeshData>(geometry_)->points[3 * static_cast<size_t>(at_)];
    p[0] = static_cast<float>(point.x);
    p[1] = static_cast<float>(point.y);
    p[2] = static_cast<float>(point.z);
    return MStatus::kSuccess;
}
MStatus MItGeometry::allPositions(MPointArray& points, MSpace::Space space) const {
    points.clear();
    MItGeometry each(*this);
    MStatus status;
    for (each.reset(); !each.isDone() && status; each.next()) points.append(each.position(space, &status));
    return status;
}
MStatus MItGeometry::setAllPositions(const MPointArray& points, MSpace::Space space) {
    if (static_cast<int>(points.length()) != count()) return MStatus::kInvalidParameter;
    MItGeometry each(*this);  // shares the geometry
    MStatus status;
    for (each.reset(); !each.isDone() && status; each.next())
        status = each.setPosition(points[static_cast<unsigned int>(each.at_)], space);
    return status;
}

}  // namespace Autodesk::Maya::OpenMayaHost
