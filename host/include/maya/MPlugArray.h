// MPlugArray: a dynamic array of plugs.
#pragma once
#include <maya/MPlug.h>
#include <maya/MStatus.h>

#include "host/api/array.h"

namespace Autodesk::Maya::OpenMayaHost {

class MPlugArray : public purl::host::Array<MPlug, MPlugArray> {
  public:
    using Array::Array;
};

}  // namespace Autodesk::Maya::OpenMayaHost
