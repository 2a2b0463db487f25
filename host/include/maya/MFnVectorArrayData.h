// MFnVectorArrayData: an array of vectors as data; array() aliases the data.
#pragma once
#include <maya/MFnData.h>
#include <maya/MVectorArray.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnVectorArrayData : public MFnData {
  public:
    MFnVectorArrayData() = default;
    MFnVectorArrayData(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kVectorArrayData; }
    MObject create(MStatus* status = nullptr);
    MObject create(const MVectorArray& array, MStatus* status = nullptr);
    unsigned int length(MStatus* status = nullptr) const;
    MVectorArray array(MStatus* status = nullptr);
    MStatus set(const MVectorArray& array);
    MVector operator[](unsigned int index) const;
    MStatus copyTo(MVectorArray& array) const;
};

}  // namespace Autodesk::Maya::OpenMayaHost
