// MThreadUtils: the number of threads that a node may use.
#pragma once
#include <maya/MApiNamespace.h>

namespace Autodesk::Maya::OpenMayaHost {

class MThreadUtils {
  public:
    static int getNumThreads();
};

}  // namespace Autodesk::Maya::OpenMayaHost
