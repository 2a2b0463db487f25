// MColorArray: a dynamic array of colours.
#pragma once
#include <maya/MColor.h>
#include <maya/MStatus.h>

#include "host/api/array.h"

namespace Autodesk::Maya::OpenMayaHost {

class MColorArray : public purl::host::Array<MColor, MColorArray> {
  public:
    using Array::Array;
};

}  // namespace Autodesk::Maya::OpenMayaHost
