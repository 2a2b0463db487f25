// MFnUnitAttribute: an attribute that holds a time, a distance or an angle.
#pragma once
#include <maya/MAngle.h>
#include <maya/MDistance.h>
#include <maya/MFnAttribute.h>
#include <maya/MTime.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnUnitAttribute : public MFnAttribute {
  public:
    MFnUnitAttribute() = default;
    MFnUnitAttribute(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kUnitAttribute; }

    enum Type { kInvalid, kAngle, kDistance, kTime, kLast };
    // The default is in cm or radians; for a time other than zero pass an MTime.
    MObject create(const MString& fullName, const MString& briefName, Type unitType, double defaultValue = 0.0,
                   MStatus* status = nullptr);
    MObject create(const MString& fullName, const MString& briefName, const MTime& defaultValue,
                   MStatus* status = nullptr);
    MObject create(const MString& fullName, const MString& briefName, const MDistance& defaultValue,
                   MStatus* status = nullptr);
    MObject create(const MString& fullName, const MString& briefName, const MAngle& defaultValue,
                   MStatus* status = nullptr);
    Type unitType(MStatus* status = nullptr) const;
    bool hasMin(MStatus* status = nullptr) const;
    bool hasMax(MStatus* status = nullptr) const;
    MStatus getMin(double& v) const;
    MStatus getMax(double& v) const;
    MStatus getDefault(double& v) const;
    MStatus setMin(double v);
    MStatus setMax(double v);
    MStatus setSoftMin(double v);
    MStatus setSoftMax(double v);
    MStatus setMin(const MTime& v);
    MStatus setMax(const MTime& v);
    MStatus setMin(const MDistance& v) { return setMin(v.asCentimeters()); }
    MStatus setMax(const MDistance& v) { return setMax(v.asCentimeters()); }
    MStatus setMin(const MAngle& v) { return setMin(v.asRadians()); }
    MStatus setMax(const MAngle& v) { return setMax(v.asRadians()); }
    MStatus setDefault(double v);
    MStatus setDefault(const MTime& v);
    MStatus setDefault(const MDistance& v) { return setDefault(v.asCentimeters()); }
    MStatus setDefault(const MAngle& v) { return setDefault(v.asRadians()); }
};

}  // namespace Autodesk::Maya::OpenMayaHost
