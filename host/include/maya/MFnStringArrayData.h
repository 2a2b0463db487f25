// MFnStringArrayData: an array of strings as data; array() aliases the data.
#pragma once
#include <maya/MFnData.h>
#include <maya/MStringArray.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnStringArrayData : public MFnData {
  public:
    MFnStringArrayData() = default;
    MFnStringArrayData(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kStringArrayData; }
    MObject create(MStatus* status = nullptr);
    MObject create(const MStringArray& array, MStatus* status = nullptr);
    unsigned int length(MStatus* status = nullptr) const;
    MStringArray array(MStatus* status = nullptr);
    MStatus set(const MStringArray& array);
};

}  // namespace Autodesk::Maya::OpenMayaHost
