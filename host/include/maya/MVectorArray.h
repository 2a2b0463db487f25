// MVectorArray: a dynamic array of double-precision vectors.
#pragma once
#include <maya/MStatus.h>
#include <maya/MVector.h>

#include "host/api/array.h"

namespace Autodesk::Maya::OpenMayaHost {

class MVectorArray : public purl::host::Array<MVector, MVectorArray> {
  public:
    using Array::Array;
};

}  // namespace Autodesk::Maya::OpenMayaHost
