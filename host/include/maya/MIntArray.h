// MIntArray: a growing list of whole numbers.
#pragma once
#include <maya/MStatus.h>

#include "host/api/array.h"

namespace Autodesk::Maya::OpenMayaHost {

class MIntArray : public purl::host::Array<int, MIntArray> {
  public:
    using Array::Array;
};

}  // namespace Autodesk::Maya::OpenMayaHost
