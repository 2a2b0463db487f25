// MPointArray: a dynamic array of double-precision points.
#pragma once
#include <maya/MPoint.h>
#include <maya/MStatus.h>

#include "host/api/array.h"

namespace Autodesk::Maya::OpenMayaHost {

class MPointArray : public purl::host::Array<MPoint, MPointArray> {
  public:
    using Array::append;
    using Array::Array;
    MStatus append(double x, double y, double z, double w = 1.0) { return append(MPoint(x, y, z, w)); }
};

}  // namespace Autodesk::Maya::OpenMayaHost
