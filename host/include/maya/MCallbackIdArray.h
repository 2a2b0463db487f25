// MCallbackIdArray: ids of callbacks.
#pragma once
#include <maya/MMessage.h>
#include <maya/MStatus.h>

#include "host/api/array.h"

namespace Autodesk::Maya::OpenMayaHost {

class MCallbackIdArray : public purl::host::Array<MCallbackId, MCallbackIdArray> {
  public:
    using Array::Array;
};

}  // namespace Autodesk::Maya::OpenMayaHost
