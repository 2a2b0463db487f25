// MFloatVectorArray: a dynamic array of single-precision vectors.
#pragma once
#include <maya/MFloatVector.h>
#include <maya/MStatus.h>

#include "host/api/array.h"

namespace Autodesk::Maya::OpenMayaHost {

class MFloatVectorArray : public purl::host::Array<MFloatVector, MFloatVectorArray> {
  public:
    using Array::Array;
};

}  // namespace Autodesk::Maya::OpenMayaHost
