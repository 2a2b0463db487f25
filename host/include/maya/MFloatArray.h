// MFloatArray: a dynamic array of floats.
#pragma once
#include <maya/MStatus.h>

#include "host/api/array.h"

namespace Autodesk::Maya::OpenMayaHost {

class MFloatArray : public purl::host::Array<float, MFloatArray> {
  public:
    using Array::Array;
};

}  // namespace Autodesk::Maya::OpenMayaHost
