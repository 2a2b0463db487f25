// MFloatPointArray: a dynamic array of single-precision points.
#pragma once
#include <maya/MFloatPoint.h>
#include <maya/MStatus.h>

#include "host/api/array.h"

namespace Autodesk::Maya::OpenMayaHost {

class MFloatPointArray : public purl::host::Array<MFloatPoint, MFloatPointArray> {
  public:
    using Array::append;
    using Array::Array;
    MStatus append(float x, float y, float z, float w = 1.0f) { return append(MFloatPoint(x, y, z, w)); }
};

}  // namespace Autodesk::Maya::OpenMayaHost
