// MFnNumericAttribute: an attribute of one to four plain numbers.
#pragma once
#include <maya/MFnAttribute.h>
#include <maya/MFnNumericData.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnNumericAttribute : public MFnAttribute {
  public:
    MFnNumericAttribute() = default;
    MFnNumericAttribute(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kNumericAttribute; }
    MObject create(const MString& fullName, const MString& briefName, MFnNumericData::Type unitType,
                   double defaultValue = 0.0, MStatus* status = nullptr);
    MObject create(const MString& fullName, const MString& briefName, const MObject& child1,
                   const MObject& child2 = MObject::kNullObj, const MObject& child3 = MObject::kNullObj,
                   MStatus* status = nullptr);
    MObject createColor(const MString& fullName, const MString& briefName, MStatus* status = nullptr);  // R G B floats
    MObject createPoint(const MString& fullName, const MString& briefName, MStatus* status = nullptr);  // X Y Z floats
    MObject child(unsigned int index, MStatus* status = nullptr) const;
    MFnNumericData::Type unitType(MStatus* status = nullptr) const;

    bool hasMin(MStatus* status = nullptr) const;
    bool hasMax(MStatus* status = nullptr) const;
    bool hasSoftMin(MStatus* status = nullptr) const;
    bool hasSoftMax(MStatus* status = nullptr) const;
    MStatus getMin(double& v) const;
    MStatus getMax(double& v) const;
    MStatus getSoftMin(double& v) const;
    MStatus getSoftMax(double& v) const;
    MStatus getDefault(double& v) const;
    MStatus getDefault(double& a, double& b, double& c) const;
    MStatus setMin(double v);
    MStatus setMin(double a, double b);
    MStatus setMin(double a, double b, double c);
    MStatus setMax(double v);
    MStatus setMax(double a, double b);
    MStatus setMax(double a, double b, double c);
    MStatus setSoftMin(double v);
    MStatus setSoftMax(double v);
    MStatus setDefault(double v);
    MStatus setDefault(double a, double b);
    MStatus setDefault(double a, double b, double c);
    MStatus setDefault(double a, double b, double c, double d);
};

}  // namespace Autodesk::Maya::OpenMayaHost
