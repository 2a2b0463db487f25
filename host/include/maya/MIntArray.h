// MIntArray: a dynamic array of ints.
#pragma once
#include <maya/MStatus.h>

#include "host/api/array.h"

namespace Autodesk::Maya::OpenMayaHost {

class MIntArray : public purl::host::Array<int, MIntArray> {
  public:
    using Array::Array;
};

}  // namespace Autodesk::Maya::OpenMayaHost
