// MFnNurbsSurfaceData: creates the data object that holds a surface.
#pragma once
#include <maya/MFnData.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnNurbsSurfaceData : public MFnData {
  public:
    MFnNurbsSurfaceData() = default;
    MFnNurbsSurfaceData(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kNurbsSurfaceData; }
    MObject create(MStatus* status = nullptr);
};

}  // namespace Autodesk::Maya::OpenMayaHost
