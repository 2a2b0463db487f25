// MObjectArray: a dynamic array of objects.
#pragma once
#include <maya/MObject.h>
#include <maya/MStatus.h>

#include "host/api/array.h"

namespace Autodesk::Maya::OpenMayaHost {

class MObjectArray : public purl::host::Array<MObject, MObjectArray> {
  public:
    using Array::Array;
};

}  // namespace Autodesk::Maya::OpenMayaHost
