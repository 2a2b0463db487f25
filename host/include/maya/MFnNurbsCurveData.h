// MFnNurbsCurveData: creates the data object that holds a curve.
#pragma once
#include <maya/MFnData.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnNurbsCurveData : public MFnData {
  public:
    MFnNurbsCurveData() = default;
    MFnNurbsCurveData(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kNurbsCurveData; }
    MObject create(MStatus* status = nullptr);
};

}  // namespace Autodesk::Maya::OpenMayaHost
