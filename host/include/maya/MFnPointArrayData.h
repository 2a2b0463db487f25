// MFnPointArrayData: an array of points as data; array() aliases the data.
#pragma once
#include <maya/MFnData.h>
#include <maya/MPointArray.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnPointArrayData : public MFnData {
  public:
    MFnPointArrayData() = default;
    MFnPointArrayData(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kPointArrayData; }
    MObject create(MStatus* status = nullptr);
    MObject create(const MPointArray& array, MStatus* status = nullptr);
    unsigned int length(MStatus* status = nullptr) const;
    MPointArray array(MStatus* status = nullptr);
    MStatus set(const MPointArray& array);
    MPoint operator[](unsigned int index) const;
    MStatus copyTo(MPointArray& array) const;
};

}  // namespace Autodesk::Maya::OpenMayaHost
