// MDistance: a length with its unit; centimetres inside.
#pragma once
#include <maya/MStatus.h>

#include <ostream>

namespace Autodesk::Maya::OpenMayaHost {

class MDistance {
  public:
    enum Unit { kInvalid, kInches, kFeet, kYards, kMiles, kMillimeters, kCentimeters, kKilometers, kMeters, kLast };

    MDistance() = default;
    MDistance(double value, Unit unit = kCentimeters) : value_(value), unit_(unit) {}
    double value() const { return value_; }
    Unit unit() const { return unit_; }
    MStatus setValue(double value);
    MStatus setUnit(Unit unit);  // does not convert the value
    double as(Unit unit) const;
    double asInches() const { return as(kInches); }
    double asFeet() const { return as(kFeet); }
    double asMillimeters() const { return as(kMillimeters); }
    double asCentimeters() const { return as(kCentimeters); }
    double asKilometers() const { return as(kKilometers); }
    double asMeters() const { return as(kMeters); }

    static Unit internalUnit() { return kCentimeters; }
    static Unit uiUnit();
    static MStatus setUIUnit(Unit unit);
    static double internalToUI(double value);
    static double uiToInternal(double value);

  private:
    double value_ = 0;
    Unit unit_ = kCentimeters;
};

std::ostream& operator<<(std::ostream& out, const MDistance& v);

}  // namespace Autodesk::Maya::OpenMayaHost
