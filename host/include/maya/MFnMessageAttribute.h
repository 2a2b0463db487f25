// MFnMessageAttribute: an attribute without a value, only for connections.
#pragma once
#include <maya/MFnAttribute.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnMessageAttribute : public MFnAttribute {
  public:
    MFnMessageAttribute() = default;
    MFnMessageAttribute(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kMessageAttribute; }
    MObject create(const MString& fullName, const MString& briefName, MStatus* status = nullptr);
};

}  // namespace Autodesk::Maya::OpenMayaHost
