// MSpace: the coordinate space of a call's arguments.
#pragma once
#include <maya/MApiNamespace.h>

namespace Autodesk::Maya::OpenMayaHost {

class MSpace {
  public:
    enum Space { kInvalid = 0, kTransform, kPreTransform, kPostTransform, kWorld, kObject = kPreTransform };
};

}  // namespace Autodesk::Maya::OpenMayaHost
