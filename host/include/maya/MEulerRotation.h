// MEulerRotation: three angles in radians and the order in which they are applied.
#pragma once
#include <maya/MMatrix.h>
#include <maya/MVector.h>

namespace Autodesk::Maya::OpenMayaHost {

class MEulerRotation {
  public:
    enum RotationOrder { kXYZ, kYZX, kZXY, kXZY, kYXZ, kZYX };

    double x = 0, y = 0, z = 0;
    RotationOrder order = kXYZ;

    MEulerRotation() = default;
    MEulerRotation(double x, double y, double z, RotationOrder order = kXYZ) : x(x), y(y), z(z), order(order) {}
    MEulerRotation(const MVector& v, RotationOrder order = kXYZ) : x(v.x), y(v.y), z(v.z), order(order) {}
    MMatrix asMatrix() const;
    MQuaternion asQuaternion() const;
    MVector asVector() const { return {x, y, z}; }
    static MEulerRotation decompose(const MMatrix& m, RotationOrder order);

    static const MEulerRotation identity;
};

std::ostream& operator<<(std::ostream& out, const MEulerRotation& r);

}  // namespace Autodesk::Maya::OpenMayaHost
