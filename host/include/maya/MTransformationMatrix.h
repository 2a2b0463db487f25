// MTransformationMatrix: a matrix decomposed into scale, shear, rotation and translation.
#pragma once
#include <maya/MEulerRotation.h>
#include <maya/MMatrix.h>
#include <maya/MQuaternion.h>
#include <maya/MSpace.h>
#include <maya/MVector.h>

namespace Autodesk::Maya::OpenMayaHost {

class MTransformationMatrix {
  public:
    enum RotationOrder { kInvalid, kXYZ, kYZX, kZXY, kXZY, kYXZ, kZYX, kLast };

    MTransformationMatrix() = default;
    MTransformationMatrix(const MMatrix& m);
    MMatrix asMatrix() const;
    MMatrix asMatrixInverse() const { return asMatrix().inverse(); }

    MVector getTranslation(MSpace::Space space, MStatus* status = nullptr) const;
    MStatus setTranslation(const MVector& v, MSpace::Space space);
    MStatus getScale(double scale[3], MSpace::Space space) const;
    MStatus setScale(const double scale[3], MSpace::Space space);
    MStatus getShear(double shear[3], MSpace::Space space) const;
    MEulerRotation eulerRotation() const;
    MQuaternion rotation() const;
    MStatus getRotation(double rotation[3], RotationOrder& order) const;
    MStatus setRotation(const double rotation[3], RotationOrder order);
    MTransformationMatrix& rotateTo(const MEulerRotation& r);
    MTransformationMatrix& rotateTo(const MQuaternion& q);

  private:
    double scale_[3] = {1, 1, 1}, shear_[3] = {0, 0, 0};  // shear: xy, xz, yz
    MEulerRotation rotation_;
    MVector translation_;
};

}  // namespace Autodesk::Maya::OpenMayaHost
