// MNodeCacheSetupInfo: a node's preferences and requirements for cached playback.
#pragma once
#include <maya/MTypes.h>

#if MAYA_API_VERSION < 20200000
    #error "MNodeCacheSetupInfo requires Maya 2020 or later"
#endif

namespace Autodesk::Maya::OpenMayaHost {

class MNodeCacheSetupInfo {
  public:
    enum PreferenceFlag { kWantToCacheByDefault };
    enum RequirementFlag { kSimulationSupport };  // frames are computed in sequence
    void setPreference(PreferenceFlag, bool wanted) { cachedByDefault_ = wanted; }
    bool getPreference(PreferenceFlag) const { return cachedByDefault_; }
    void setRequirement(RequirementFlag, bool needed) { simulates_ = needed; }
    bool getRequirement(RequirementFlag) const { return simulates_; }

  private:
    bool cachedByDefault_ = false, simulates_ = false;
};

}  // namespace Autodesk::Maya::OpenMayaHost
