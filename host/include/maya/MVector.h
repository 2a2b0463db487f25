// MVector: a vector in double precision. Row vectors: v * M transforms.
#pragma once
#include <maya/MStatus.h>

#include <cmath>
#include <ostream>

namespace Autodesk::Maya::OpenMayaHost {

constexpr double MVector_kTol = 1.0e-10;

class MVector {
  public:
    double x = 0, y = 0, z = 0;

    MVector() = default;
    MVector(double x, double y, double z = 0.0) : x(x), y(y), z(z) {}
    explicit MVector(const double d[3]) : x(d[0]), y(d[1]), z(d[2]) {}
    explicit MVector(const float f[3]) : x(f[0]), y(f[1]), z(f[2]) {}
    MVector(const MFloatVector& v);
    MVector(const MPoint& p);

    double& operator[](unsigned int i) { return (&x)[i]; }
    double operator[](unsigned int i) const { return (&x)[i]; }
    double& operator()(unsigned int i) { return (&x)[i]; }
    double operator()(unsigned int i) const { return (&x)[i]; }
    MStatus get(double d[3]) const;

    MVector operator+(const MVector& o) const { return {x + o.x, y + o.y, z + o.z}; }
    MVector operator-(const MVector& o) const { return {x - o.x, y - o.y, z - o.z}; }
    MVector operator-() const { return {-x, -y, -z}; }
    MVector operator*(double s) const { return {x * s, y * s, z * s}; }
    MVector operator/(double s) const { return {x / s, y / s, z / s}; }
    double operator*(const MVector& o) const { return x * o.x + y * o.y + z * o.z; }
    MVector operator^(const MVector& o) const { return {y * o.z - z * o.y, z * o.x - x * o.z, x * o.y - y * o.x}; }
    MVector& operator+=(const MVector& o) { return *this = *this + o; }
    MVector& operator-=(const MVector& o) { return *this = *this - o; }
    MVector& operator*=(double s) { return *this = *this * s; }
    MVector& operator/=(double s) { return *this = *this / s; }
    MVector operator*(const MMatrix& m) const;
    MVector& operator*=(const MMatrix& m) { return *this = *this * m; }
    bool operator==(const MVector& o) const { return x == o.x && y == o.y && z == o.z; }
    bool operator!=(const MVector& o) const { return !(*this == o); }

    double length() const { return std::sqrt(*this * *this); }
    MVector normal() const;
    MStatus normalize();
    double angle(const MVector& o) const;
    bool isEquivalent(const MVector& o, double tolerance = MVector_kTol) const;
    bool isParallel(const MVector& o, double tolerance = MVector_kTol) const;
    MVector transformAsNormal(const MMatrix& m) const;  // by the inverse transpose; not normalized

    static const MVector zero, one, xAxis, yAxis, zAxis, xNegAxis, yNegAxis, zNegAxis;
};

inline MVector operator*(int s, const MVector& v) { return v * s; }
inline MVector operator*(double s, const MVector& v) { return v * s; }
MVector operator*(const MMatrix& m, const MVector& v);  // as a column vector
std::ostream& operator<<(std::ostream& out, const MVector& v);

}  // namespace Autodesk::Maya::OpenMayaHost
