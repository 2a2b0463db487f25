// MNodeCacheDisablingInfo: whether and why a node disables cached playback.
#pragma once
#include <maya/MString.h>

#if MAYA_API_VERSION < 20200000
    #error "MNodeCacheDisablingInfo requires Maya 2020 or later"
#endif

namespace Autodesk::Maya::OpenMayaHost {

class MNodeCacheDisablingInfo {
  public:
    void setCacheDisabled(bool disabled) { disabled_ = disabled; }
    bool getCacheDisabled() const { return disabled_; }
    void setReason(const MString& reason) { reason_ = reason; }
    MString getReason() const { return reason_; }

  private:
    bool disabled_ = false;
    MString reason_;
};

}  // namespace Autodesk::Maya::OpenMayaHost
