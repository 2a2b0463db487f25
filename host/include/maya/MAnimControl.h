// MAnimControl: the current time and the playback range.
#pragma once
#include <maya/MTime.h>

namespace Autodesk::Maya::OpenMayaHost {

class MAnimControl {
  public:
    static MTime currentTime();
    static MStatus setCurrentTime(const MTime& time);
    static MTime minTime();
    static MTime maxTime();
    static MStatus setMinTime(MTime time);
    static MStatus setMaxTime(MTime time);
    static MStatus setMinMaxTime(MTime min, MTime max);
    static MTime animationStartTime();
    static MTime animationEndTime();
    static MStatus setAnimationStartTime(MTime time);
    static MStatus setAnimationEndTime(MTime time);
    static MStatus setAnimationStartEndTime(MTime start, MTime end);
    static bool isPlaying();  // always false: there is no interactive playback
};

}  // namespace Autodesk::Maya::OpenMayaHost
