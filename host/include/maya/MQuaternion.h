// MQuaternion: a rotation as x, y, z (imaginary) and w (real).
#pragma once
#include <maya/MMatrix.h>
#include <maya/MVector.h>

namespace Autodesk::Maya::OpenMayaHost {

class MQuaternion {
  public:
    double x = 0, y = 0, z = 0, w = 1;

    MQuaternion() = default;
    MQuaternion(double x, double y, double z, double w) : x(x), y(y), z(z), w(w) {}
    MQuaternion(double angle, const MVector& axis);
    MQuaternion(const MVector& from, const MVector& to);  // the shortest rotation

    MQuaternion& operator=(const MMatrix& m);           // from a rotation matrix with orthonormal rows
    MQuaternion operator*(const MQuaternion& o) const;  // this first, then o, like matrix multiplication
    bool operator==(const MQuaternion& o) const { return x == o.x && y == o.y && z == o.z && w == o.w; }
    bool operator!=(const MQuaternion& o) const { return !(*this == o); }
    MMatrix asMatrix() const;
    MEulerRotation asEulerRotation() const;
    MQuaternion conjugate() const { return {-x, -y, -z, w}; }
    MQuaternion inverse() const;
    MQuaternion normal() const;
    MQuaternion& normalizeIt() { return *this = normal(); }

    static const MQuaternion identity;
};

std::ostream& operator<<(std::ostream& out, const MQuaternion& q);

}  // namespace Autodesk::Maya::OpenMayaHost
