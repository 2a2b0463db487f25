// MTime: a time with its unit; nodes store times in ticks of 1/141120000 s.
#pragma once
#include <maya/MStatus.h>

#include <ostream>

namespace Autodesk::Maya::OpenMayaHost {

class MTime {
  public:
    enum Unit {
        kInvalid,
        kHours,
        kMinutes,
        kSeconds,
        kMilliseconds,
        kGames,      // 15 frames/s
        kFilm,       // 24
        kPALFrame,   // 25
        kNTSCFrame,  // 30
        kShowScan,   // 48
        kPALField,   // 50
        kNTSCField,  // 60
        k2FPS,
        k3FPS,
        k4FPS,
        k5FPS,
        k6FPS,
        k8FPS,
        k10FPS,
        k12FPS,
        k16FPS,
        k20FPS,
        k40FPS,
        k75FPS,
        k80FPS,
        k100FPS,
        k120FPS,
        k125FPS,
        k150FPS,
        k200FPS,
        k240FPS,
        k250FPS,
        k300FPS,
        k375FPS,
        k400FPS,
        k500FPS,
        k600FPS,
        k750FPS,
        k1200FPS,
        k1500FPS,
        k2000FPS,
        k3000FPS,
        k6000FPS,
        k23_976FPS,
        k29_97FPS,
        k29_97DF,
        k47_952FPS,
        k59_94FPS,
        k44100FPS,
        k48000FPS,
        k90FPS,
        kLast
    };
    typedef MInt64 MTick;

    MTime() = default;  // zero, in the scene's unit
    MTime(double value, Unit unit = kFilm);
    double as(Unit unit) const;
    double asUnits(Unit unit) const { return as(unit); }
    Unit unit() const;
    double value() const { return value_; }
    MStatus setUnit(Unit unit);  // does not convert the value
    MStatus setValue(double value);

    static Unit uiUnit();
    static MStatus setUIUnit(Unit unit);
    static MTick ticksPerSecond() { return 141120000; }

    MTime operator+(const MTime& o) const;
    MTime operator-(const MTime& o) const;
    MTime operator+(double value) const;
    MTime operator-(double value) const;
    MTime operator*(double s) const;
    MTime operator/(double s) const;
    MTime& operator+=(const MTime& o) { return *this = *this + o; }
    MTime& operator-=(const MTime& o) { return *this = *this - o; }
    MTime& operator++();
    MTime& operator--();
    bool operator==(const MTime& o) const;
    bool operator!=(const MTime& o) const { return !(*this == o); }
    bool operator<(const MTime& o) const;
    bool operator>(const MTime& o) const { return o < *this; }
    bool operator<=(const MTime& o) const { return !(o < *this); }
    bool operator>=(const MTime& o) const { return !(*this < o); }

  private:
    double value_ = 0;
    Unit unit_ = kInvalid;  // the scene's unit
};

std::ostream& operator<<(std::ostream& out, const MTime& t);

}  // namespace Autodesk::Maya::OpenMayaHost
