// MTimeRange: a set of disjoint time intervals that cached playback must recompute.
#pragma once
#include <maya/MTime.h>

#if MAYA_API_VERSION < 20200000
    #error "MTimeRange requires Maya 2020 or later"
#endif

#include <vector>

namespace Autodesk::Maya::OpenMayaHost {

class MTimeRange {
  public:
    struct Bounds {
        MTime min, max;
    };
    MTimeRange() = default;  // empty
    MTimeRange(const MTime& min, const MTime& max);
    bool intersects(const MTime& min, const MTime& max) const;
    MTimeRange operator|(const MTimeRange& o) const;
#if MAYA_API_VERSION >= 20220000
    Bounds bounds() const;  // union of all spans
#endif

  private:
    std::vector<Bounds> spans_;  // sorted, disjoint
};

}  // namespace Autodesk::Maya::OpenMayaHost
