// MFnMeshData: creates the data object that holds a mesh.
#pragma once
#include <maya/MFnData.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnMeshData : public MFnData {
  public:
    MFnMeshData() = default;
    MFnMeshData(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kMeshData; }
    MObject create(MStatus* status = nullptr);
};

}  // namespace Autodesk::Maya::OpenMayaHost
