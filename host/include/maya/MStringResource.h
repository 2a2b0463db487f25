// MStringResource: translatable UI strings.
#pragma once
#include <maya/MStatus.h>
#include <maya/MStringResourceId.h>

namespace Autodesk::Maya::OpenMayaHost {

class MStringResource {
  public:
    static MStatus registerString(const MStringResourceId& id);  // kFailure if the key is registered already
    static MString getString(const MStringResourceId& id, MStatus& status);
};

}  // namespace Autodesk::Maya::OpenMayaHost
