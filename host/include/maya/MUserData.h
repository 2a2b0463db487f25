// MUserData: data that a draw override passes from prepareForDraw to draw.
#pragma once
#include <maya/MApiNamespace.h>

namespace Autodesk::Maya::OpenMayaHost {

class MUserData {
  public:
#if MAYA_API_VERSION >= 20220000
    MUserData() = default;
#else
    explicit MUserData(bool deleteAfterUse) { static_cast<void>(deleteAfterUse); }
#endif
    virtual ~MUserData() = default;
};

}  // namespace Autodesk::Maya::OpenMayaHost
