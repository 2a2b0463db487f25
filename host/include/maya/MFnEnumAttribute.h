// MFnEnumAttribute: an enumeration attribute.
#pragma once
#include <maya/MFnAttribute.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnEnumAttribute : public MFnAttribute {
  public:
    MFnEnumAttribute() = default;
    MFnEnumAttribute(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kEnumAttribute; }
    MObject create(const MString& fullName, const MString& briefName, short defaultValue = 0,
                   MStatus* status = nullptr);
    MStatus addField(const MString& name, short value);
    MString fieldName(short value, MStatus* status = nullptr) const;
    short fieldIndex(const MString& name, MStatus* status = nullptr) const;
    MStatus getMin(short& v) const;
    MStatus getMax(short& v) const;
    MStatus getDefault(short& v) const;
    MStatus setDefault(short v);
    short defaultValue(MStatus* status = nullptr) const;
};

}  // namespace Autodesk::Maya::OpenMayaHost
