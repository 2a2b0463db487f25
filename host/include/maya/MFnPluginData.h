// MFnPluginData: wraps data of a plugin's data type.
#pragma once
#include <maya/MFnData.h>
#include <maya/MPxData.h>
#include <maya/MTypeId.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnPluginData : public MFnData {
  public:
    MFnPluginData() = default;
    MFnPluginData(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kPluginData; }
    MObject create(const MTypeId& id, MStatus* status = nullptr);
    MTypeId typeId(MStatus* status = nullptr) const;
    MPxData* data(MStatus* status = nullptr);
    const MPxData* constData(MStatus* status = nullptr) const;
};

}  // namespace Autodesk::Maya::OpenMayaHost
