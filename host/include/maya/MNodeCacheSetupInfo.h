// MNodeCacheSetupInfo: what a node wishes and needs of cached playback.
#pragma once
#include <maya/MTypes.h>

#if MAYA_API_VERSION < 20200000
    #error "MNodeCacheSetupInfo came with Maya 2020"
#endif

namespace Autodesk::Maya::OpenMayaHost {

class MNodeCacheSetupInfo {
  public:
    enum PreferenceFlag { kWantToCacheByDefault };
    enum RequirementFlag { kSimulationSupport };  // frames are computed in order, each after the one before
    void setPreference(PreferenceFlag, bool wanted) { cachedByDefault_ = wanted; }
    bool getPreference(PreferenceFlag) const { return cachedByDefault_; }
    void setRequirement(RequirementFlag, bool needed) { simulates_ = needed; }
    bool getRequirement(RequirementFlag) const { return simulates_; }

  private:
    bool cachedByDefault_ = false, simulates_ = false;
};

}  // namespace Autodesk::Maya::OpenMayaHost
