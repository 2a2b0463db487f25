// MFnMatrixData: a matrix as data.
#pragma once
#include <maya/MFnData.h>
#include <maya/MMatrix.h>
#include <maya/MTransformationMatrix.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnMatrixData : public MFnData {
  public:
    MFnMatrixData() = default;
    MFnMatrixData(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kMatrixData; }
    MObject create(MStatus* status = nullptr);
    MObject create(const MMatrix& matrix, MStatus* status = nullptr);
    const MMatrix& matrix(MStatus* status = nullptr) const;
    MTransformationMatrix transformation(MStatus* status = nullptr) const;
    MStatus set(const MMatrix& matrix);
};

}  // namespace Autodesk::Maya::OpenMayaHost
