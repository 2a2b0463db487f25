// MStringResourceId: the key of a UI string and its English text.
#pragma once
#include <maya/MString.h>

namespace Autodesk::Maya::OpenMayaHost {

class MStringResourceId {
  public:
    MStringResourceId(const char* pluginId, const char* resourceId, const MString& defaultValue)
        : plugin_(pluginId), key_(resourceId), text_(defaultValue) {}

  private:
    friend struct purl::host::Api;
    MString plugin_, key_, text_;
};

}  // namespace Autodesk::Maya::OpenMayaHost
