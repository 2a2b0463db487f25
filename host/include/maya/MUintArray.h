// MUintArray: a dynamic array of unsigned integers.
#pragma once
#include <maya/MStatus.h>

#include "host/api/array.h"

namespace Autodesk::Maya::OpenMayaHost {

class MUintArray : public purl::host::Array<unsigned int, MUintArray> {
  public:
    using Array::Array;
};

}  // namespace Autodesk::Maya::OpenMayaHost
