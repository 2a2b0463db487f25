// MUint64Array: a dynamic array of 64-bit unsigned integers.
#pragma once
#include <maya/MStatus.h>
#include <maya/MTypes.h>

#include "host/api/array.h"

namespace Autodesk::Maya::OpenMayaHost {

class MUint64Array : public purl::host::Array<MUint64, MUint64Array> {
  public:
    using Array::Array;
};

}  // namespace Autodesk::Maya::OpenMayaHost
