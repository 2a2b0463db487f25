// MTimeRange: spans of time, apart from each other; what cached playback has to compute anew.
#pragma once
#include <maya/MTime.h>

#if MAYA_API_VERSION < 20200000
    #error "MTimeRange came with Maya 2020"
#endif

#include <vector>

namespace Autodesk::Maya::OpenMayaHost {

class MTimeRange {
  public:
    struct Bounds {
        MTime min, max;
    };
    MTimeRange() = default;  // no time at all
    MTimeRange(const MTime& min, const MTime& max);
    bool intersects(const MTime& min, const MTime& max) const;
    MTimeRange operator|(const MTimeRange& o) const;
#if MAYA_API_VERSION >= 20220000
    Bounds bounds() const;  // of all spans together
#endif

  private:
    std::vector<Bounds> spans_;  // sorted, apart
};

}  // namespace Autodesk::Maya::OpenMayaHost
