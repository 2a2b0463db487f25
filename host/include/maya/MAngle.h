// MAngle: an angle with its unit; radians inside.
#pragma once
#include <maya/MStatus.h>

#include <ostream>

namespace Autodesk::Maya::OpenMayaHost {

class MAngle {
  public:
    enum Unit { kInvalid, kRadians, kDegrees, kAngMinutes, kAngSeconds, kLast };

    MAngle() = default;
    MAngle(double value, Unit unit = kRadians) : value_(value), unit_(unit) {}
    double value() const { return value_; }
    Unit unit() const { return unit_; }
    MStatus setValue(double value);
    MStatus setUnit(Unit unit);  // does not convert the value
    double as(Unit unit) const;
    double asRadians() const { return as(kRadians); }
    double asDegrees() const { return as(kDegrees); }

    static Unit internalUnit() { return kRadians; }
    static Unit uiUnit();
    static MStatus setUIUnit(Unit unit);
    static double internalToUI(double value);
    static double uiToInternal(double value);

  private:
    double value_ = 0;
    Unit unit_ = kRadians;
};

std::ostream& operator<<(std::ostream& out, const MAngle& v);

}  // namespace Autodesk::Maya::OpenMayaHost
