// MFnStringData: a string as data.
#pragma once
#include <maya/MFnData.h>
#include <maya/MString.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnStringData : public MFnData {
  public:
    MFnStringData() = default;
    MFnStringData(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kStringData; }
    MObject create(MStatus* status = nullptr);
    MObject create(const MString& text, MStatus* status = nullptr);
    MString string(MStatus* status = nullptr) const;
    MStatus set(const MString& text);
};

}  // namespace Autodesk::Maya::OpenMayaHost
