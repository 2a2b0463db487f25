// MFnIntArrayData: an array of ints as data; array() aliases the data.
#pragma once
#include <maya/MFnData.h>
#include <maya/MIntArray.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnIntArrayData : public MFnData {
  public:
    MFnIntArrayData() = default;
    MFnIntArrayData(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kIntArrayData; }
    MObject create(MStatus* status = nullptr);
    MObject create(const MIntArray& array, MStatus* status = nullptr);
    unsigned int length(MStatus* status = nullptr) const;
    MIntArray array(MStatus* status = nullptr);
    MStatus set(const MIntArray& array);
    int operator[](unsigned int index) const;
    MStatus copyTo(MIntArray& array) const;
};

}  // namespace Autodesk::Maya::OpenMayaHost
