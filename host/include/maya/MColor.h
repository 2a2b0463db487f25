// MColor: red, green, blue and alpha.
#pragma once
#include <maya/MStatus.h>

#include <ostream>

namespace Autodesk::Maya::OpenMayaHost {

class MColor {
  public:
    float r = 0, g = 0, b = 0, a = 1;

    MColor() = default;
    MColor(float r, float g, float b = 0.0f, float a = 1.0f) : r(r), g(g), b(b), a(a) {}
    explicit MColor(const float rgba[4]) : r(rgba[0]), g(rgba[1]), b(rgba[2]), a(rgba[3]) {}

    float& operator[](unsigned int i) { return (&r)[i]; }
    float operator[](unsigned int i) const { return (&r)[i]; }
    MColor operator+(const MColor& o) const { return {r + o.r, g + o.g, b + o.b, a + o.a}; }
    MColor operator*(float s) const { return {r * s, g * s, b * s, a * s}; }
    MColor& operator+=(const MColor& o) { return *this = *this + o; }
    MColor& operator*=(float s) { return *this = *this * s; }
    bool operator==(const MColor& o) const { return r == o.r && g == o.g && b == o.b && a == o.a; }
    bool operator!=(const MColor& o) const { return !(*this == o); }
};

std::ostream& operator<<(std::ostream& out, const MColor& c);

}  // namespace Autodesk::Maya::OpenMayaHost
