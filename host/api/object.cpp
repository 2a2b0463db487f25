#include <maya/MFnBase.h>
#include <maya/MObject.h>
#include <maya/MObjectHandle.h>

#include "host/api/access.h"

namespace Autodesk::Maya::OpenMayaHost {

using namespace purl::host;

MObject MObject::kNullObj;

bool MObject::hasFn(MFn::Type fn) const { return object_ && object_->hasFn(fn); }
MFn::Type MObject::apiType() const { return object_ ? object_->apiType() : MFn::kInvalid; }

const char* MObject::apiTypeStr() const {
    switch (apiType()) {
        case MFn::kInvalid: return "kInvalid";
        case MFn::kTransform: return "kTransform";
        case MFn::kMesh: return "kMesh";
        case MFn::kNurbsCurve: return "kNurbsCurve";
        case MFn::kNurbsSurface: return "kNurbsSurface";
        case MFn::kCamera: return "kCamera";
        case MFn::kAmbientLight: return "kAmbientLight";
        case MFn::kAreaLight: return "kAreaLight";
        case MFn::kDirectionalLight: return "kDirectionalLight";
        case MFn::kPointLight: return "kPointLight";
        case MFn::kSpotLight: return "kSpotLight";
        case MFn::kTime: return "kTime";
        case MFn::kPluginDependNode: return "kPluginDependNode";
        case MFn::kMeshData: return "kMeshData";
        case MFn::kNurbsCurveData: return "kNurbsCurveData";
        case MFn::kNurbsSurfaceData: return "kNurbsSurfaceData";
        case MFn::kPluginData: return "kPluginData";
        case MFn::kPlugin: return "kPlugin";
        default: break;
    }
    if (hasFn(MFn::kDependencyNode)) return "kDependencyNode";
    if (hasFn(MFn::kAttribute)) return "kAttribute";
    return hasFn(MFn::kData) ? "kData" : "kBase";
}

MObjectHandle::MObjectHandle(const MObject& object) : object_(Api::get(object)) {}
MObjectHandle& MObjectHandle::operator=(const MObject& object) {
    object_ = Api::get(object);
    strong_ = MObject();
    return *this;
}
MObject MObjectHandle::object() const { return Api::make(object_.lock()); }
const MObject& MObjectHandle::objectRef() const {
    strong_ = object();
    return strong_;
}
bool MObjectHandle::isAlive() const { return !object_.expired(); }
bool MObjectHandle::isValid() const {
    auto object = object_.lock();
    if (!object) return false;
    auto node = std::dynamic_pointer_cast<Node>(object);
    return !node || node->alive();
}
unsigned int MObjectHandle::hashCode() const {
    return static_cast<unsigned int>(std::hash<const void*>()(object_.lock().get()));
}
bool MObjectHandle::operator==(const MObjectHandle& o) const { return object_.lock() == o.object_.lock(); }

bool MFnBase::hasObj(MFn::Type fn) const {
    // A function set accepts the objects of its own type and of the types derived from it.
    if (fn == type() || type() == MFn::kBase) return true;
    return object_.apiType() == fn && object_.hasFn(type());
}
MObject MFnBase::object(MStatus* status) const {
    setStatus(status, object_.isNull() ? MStatus::kFailure : MStatus::kSuccess);
    return object_;
}
MStatus MFnBase::setObject(const MObject& object) {
    if (!object.hasFn(type())) {
        object_ = MObject();
        return MStatus::kInvalidParameter;
    }
    object_ = object;
    return MStatus::kSuccess;
}
void MFnBase::init(const MObject& object, MStatus* status) {
    const MStatus s = setObject(object);
    if (status) *status = s;
}

}  // namespace Autodesk::Maya::OpenMayaHost
