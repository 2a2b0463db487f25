// MDoubleArray: a dynamic array of doubles.
#pragma once
#include <maya/MStatus.h>

#include "host/api/array.h"

namespace Autodesk::Maya::OpenMayaHost {

class MDoubleArray : public purl::host::Array<double, MDoubleArray> {
  public:
    using Array::Array;
};

}  // namespace Autodesk::Maya::OpenMayaHost
