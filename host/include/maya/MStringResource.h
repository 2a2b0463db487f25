// MStringResource: the texts that people see, of which a translation may take the place.
#pragma once
#include <maya/MStatus.h>
#include <maya/MStringResourceId.h>

namespace Autodesk::Maya::OpenMayaHost {

class MStringResource {
  public:
    static MStatus registerString(const MStringResourceId& id);  // what a translation said before stays
    static MString getString(const MStringResourceId& id, MStatus& status);
};

}  // namespace Autodesk::Maya::OpenMayaHost
