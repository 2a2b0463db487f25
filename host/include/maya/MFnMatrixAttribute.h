// MFnMatrixAttribute: an attribute that holds a matrix.
#pragma once
#include <maya/MFnAttribute.h>
#include <maya/MMatrix.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnMatrixAttribute : public MFnAttribute {
  public:
    MFnMatrixAttribute() = default;
    MFnMatrixAttribute(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kMatrixAttribute; }

    enum Type { kDouble };
    MObject create(const MString& fullName, const MString& briefName, Type type = kDouble, MStatus* status = nullptr);
    MStatus getDefault(MMatrix& m) const;
    MStatus setDefault(const MMatrix& m);
};

}  // namespace Autodesk::Maya::OpenMayaHost
