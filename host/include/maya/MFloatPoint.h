// MFloatPoint: a point in single precision, with a homogeneous w.
#pragma once
#include <maya/MFloatVector.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFloatPoint {
  public:
    float x = 0, y = 0, z = 0, w = 1;

    MFloatPoint() = default;
    MFloatPoint(float x, float y, float z = 0.0f, float w = 1.0f) : x(x), y(y), z(z), w(w) {}
    explicit MFloatPoint(const float f[4]) : x(f[0]), y(f[1]), z(f[2]), w(f[3]) {}
    MFloatPoint(const MFloatVector& v) : x(v.x), y(v.y), z(v.z) {}
    MFloatPoint(const MPoint& p);

    float& operator[](unsigned int i) { return (&x)[i]; }
    float operator[](unsigned int i) const { return (&x)[i]; }
    MStatus get(float f[4]) const;

    MFloatPoint operator+(const MFloatVector& v) const { return {x + v.x, y + v.y, z + v.z, w}; }
    MFloatPoint operator-(const MFloatVector& v) const { return {x - v.x, y - v.y, z - v.z, w}; }
    MFloatVector operator-(const MFloatPoint& p) const { return {x - p.x, y - p.y, z - p.z}; }
    MFloatPoint operator*(float s) const { return {x * s, y * s, z * s, w}; }
    MFloatPoint& operator+=(const MFloatVector& v) { return *this = *this + v; }
    MFloatPoint& operator-=(const MFloatVector& v) { return *this = *this - v; }
    bool operator==(const MFloatPoint& o) const { return x == o.x && y == o.y && z == o.z && w == o.w; }
    bool operator!=(const MFloatPoint& o) const { return !(*this == o); }
    float distanceTo(const MFloatPoint& o) const { return (*this - o).length(); }
    bool isEquivalent(const MFloatPoint& o, float tolerance = MFloatVector_kTol) const;

    static const MFloatPoint origin;
};

std::ostream& operator<<(std::ostream& out, const MFloatPoint& p);

}  // namespace Autodesk::Maya::OpenMayaHost
