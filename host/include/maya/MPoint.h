// MPoint: a point in double precision, with a homogeneous w. Row vectors: p * M transforms.
#pragma once
#include <maya/MVector.h>

namespace Autodesk::Maya::OpenMayaHost {

constexpr double MPoint_kTol = 1.0e-10;

class MPoint {
  public:
    double x = 0, y = 0, z = 0, w = 1;

    MPoint() = default;
    MPoint(double x, double y, double z = 0.0, double w = 1.0) : x(x), y(y), z(z), w(w) {}
    explicit MPoint(const double d[4]) : x(d[0]), y(d[1]), z(d[2]), w(d[3]) {}
    MPoint(const MVector& v) : x(v.x), y(v.y), z(v.z) {}
    MPoint(const MFloatPoint& p);

    double& operator[](unsigned int i) { return (&x)[i]; }
    double operator[](unsigned int i) const { return (&x)[i]; }
    MStatus get(double d[4]) const;

    MPoint operator+(const MVector& v) const { return {x + v.x, y + v.y, z + v.z, w}; }
    MPoint operator-(const MVector& v) const { return {x - v.x, y - v.y, z - v.z, w}; }
    MVector operator-(const MPoint& p) const { return {x - p.x, y - p.y, z - p.z}; }
    MPoint operator*(double s) const { return {x * s, y * s, z * s, w}; }
    MPoint operator/(double s) const { return {x / s, y / s, z / s, w}; }
    MPoint& operator+=(const MVector& v) { return *this = *this + v; }
    MPoint& operator-=(const MVector& v) { return *this = *this - v; }
    MPoint operator*(const MMatrix& m) const;
    MPoint& operator*=(const MMatrix& m) { return *this = *this * m; }
    bool operator==(const MPoint& o) const { return x == o.x && y == o.y && z == o.z && w == o.w; }
    bool operator!=(const MPoint& o) const { return !(*this == o); }

    MPoint& cartesianize();  // divides by w
    double distanceTo(const MPoint& o) const { return (*this - o).length(); }
    bool isEquivalent(const MPoint& o, double tolerance = MPoint_kTol) const;

    static const MPoint origin;
};

std::ostream& operator<<(std::ostream& out, const MPoint& p);

}  // namespace Autodesk::Maya::OpenMayaHost
