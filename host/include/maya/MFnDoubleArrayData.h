// MFnDoubleArrayData: an array of doubles as data; array() aliases the data.
#pragma once
#include <maya/MDoubleArray.h>
#include <maya/MFnData.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnDoubleArrayData : public MFnData {
  public:
    MFnDoubleArrayData() = default;
    MFnDoubleArrayData(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kDoubleArrayData; }
    MObject create(MStatus* status = nullptr);
    MObject create(const MDoubleArray& array, MStatus* status = nullptr);
    unsigned int length(MStatus* status = nullptr) const;
    MDoubleArray array(MStatus* status = nullptr);
    MStatus set(const MDoubleArray& array);
    double operator[](unsigned int index) const;
    MStatus copyTo(MDoubleArray& array) const;
};

}  // namespace Autodesk::Maya::OpenMayaHost
