// MStringArray: a dynamic array of strings.
#pragma once
#include <maya/MStatus.h>
#include <maya/MString.h>

#include "host/api/array.h"

namespace Autodesk::Maya::OpenMayaHost {

class MStringArray : public purl::host::Array<MString, MStringArray> {
  public:
    using Array::Array;
};

}  // namespace Autodesk::Maya::OpenMayaHost
