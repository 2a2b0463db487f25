// MFnTypedAttribute: an attribute that holds data: a string, a mesh, an array, plugin data.
#pragma once
#include <maya/MFnAttribute.h>
#include <maya/MFnData.h>
#include <maya/MTypeId.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnTypedAttribute : public MFnAttribute {
  public:
    MFnTypedAttribute() = default;
    MFnTypedAttribute(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kTypedAttribute; }
    MObject create(const MString& fullName, const MString& briefName, MFnData::Type type,
                   const MObject& defaultData = MObject::kNullObj, MStatus* status = nullptr);
    MObject create(const MString& fullName, const MString& briefName, const MTypeId& id,
                   const MObject& defaultData = MObject::kNullObj, MStatus* status = nullptr);
    MFnData::Type attrType(MStatus* status = nullptr) const;
    MStatus setDefault(const MObject& data);
};

}  // namespace Autodesk::Maya::OpenMayaHost
