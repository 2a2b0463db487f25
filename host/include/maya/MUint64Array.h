// MUint64Array: a growing list of 64-bit unsigned whole numbers.
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
