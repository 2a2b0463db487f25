// MFnNumericData: two to four numbers as data.
#pragma once
#include <maya/MFnData.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnNumericData : public MFnData {
  public:
    MFnNumericData() = default;
    MFnNumericData(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kNumericData; }

    enum Type {
        kInvalid,
        kBoolean,
        kByte,
        kChar,
        kShort,
        k2Short,
        k3Short,
        kLong,
        kInt = kLong,
        kInt64,
        k2Long,
        k2Int = k2Long,
        k3Long,
        k3Int = k3Long,
        kFloat,
        k2Float,
        k3Float,
        kDouble,
        k2Double,
        k3Double,
        k4Double,
        kLast
    };
    MObject create(Type type, MStatus* status = nullptr);
    Type numericType();
    MStatus getData2Float(float& a, float& b) const;
    MStatus getData3Float(float& a, float& b, float& c) const;
    MStatus getData2Double(double& a, double& b) const;
    MStatus getData3Double(double& a, double& b, double& c) const;
    MStatus getData2Int(int& a, int& b) const;
    MStatus getData3Int(int& a, int& b, int& c) const;
    MStatus setData2Float(float a, float b);
    MStatus setData3Float(float a, float b, float c);
    MStatus setData2Double(double a, double b);
    MStatus setData3Double(double a, double b, double c);
    MStatus setData2Int(int a, int b);
    MStatus setData3Int(int a, int b, int c);

  private:
    MStatus get(Type type, int count, double v[]) const;
    MStatus put(Type type, int count, const double v[]);
};

}  // namespace Autodesk::Maya::OpenMayaHost
