// MFloatVector: a vector in single precision.
#pragma once
#include <maya/MStatus.h>

#include <cmath>
#include <ostream>

namespace Autodesk::Maya::OpenMayaHost {

constexpr float MFloatVector_kTol = 1.0e-5f;

class MFloatVector {
  public:
    float x = 0, y = 0, z = 0;

    MFloatVector() = default;
    MFloatVector(float x, float y, float z = 0.0f) : x(x), y(y), z(z) {}
    explicit MFloatVector(const float f[3]) : x(f[0]), y(f[1]), z(f[2]) {}
    MFloatVector(const MVector& v);
    MFloatVector(const MFloatPoint& p);

    float& operator[](unsigned int i) { return (&x)[i]; }
    float operator[](unsigned int i) const { return (&x)[i]; }
    MStatus get(float f[3]) const;

    MFloatVector operator+(const MFloatVector& o) const { return {x + o.x, y + o.y, z + o.z}; }
    MFloatVector operator-(const MFloatVector& o) const { return {x - o.x, y - o.y, z - o.z}; }
    MFloatVector operator-() const { return {-x, -y, -z}; }
    MFloatVector operator*(float s) const { return {x * s, y * s, z * s}; }
    MFloatVector operator/(float s) const { return {x / s, y / s, z / s}; }
    float operator*(const MFloatVector& o) const { return x * o.x + y * o.y + z * o.z; }
    MFloatVector operator^(const MFloatVector& o) const {
        return {y * o.z - z * o.y, z * o.x - x * o.z, x * o.y - y * o.x};
    }
    MFloatVector& operator+=(const MFloatVector& o) { return *this = *this + o; }
    MFloatVector& operator-=(const MFloatVector& o) { return *this = *this - o; }
    MFloatVector& operator*=(float s) { return *this = *this * s; }
    MFloatVector& operator/=(float s) { return *this = *this / s; }
    bool operator==(const MFloatVector& o) const { return x == o.x && y == o.y && z == o.z; }
    bool operator!=(const MFloatVector& o) const { return !(*this == o); }

    float length() const { return std::sqrt(*this * *this); }
    MFloatVector normal() const {
        MFloatVector n = *this;
        n.normalize();
        return n;
    }
    MStatus normalize();
    bool isEquivalent(const MFloatVector& o, float tolerance = MFloatVector_kTol) const;

    static const MFloatVector zero, one, xAxis, yAxis, zAxis;
};

inline MFloatVector operator*(float s, const MFloatVector& v) { return v * s; }
std::ostream& operator<<(std::ostream& out, const MFloatVector& v);

}  // namespace Autodesk::Maya::OpenMayaHost
