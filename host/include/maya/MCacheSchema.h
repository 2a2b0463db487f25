// MCacheSchema: the attributes of a node that cached playback stores per frame.
#pragma once
#include <maya/MObject.h>

#if MAYA_API_VERSION < 20200000
    #error "MCacheSchema requires Maya 2020 or later"
#endif

#include <vector>

namespace Autodesk::Maya::OpenMayaHost {

class MCacheSchema {
  public:
    void add(const MObject& attribute) { attributes_.push_back(attribute); }

  private:
    friend struct purl::host::Api;
    std::vector<MObject> attributes_;
};

}  // namespace Autodesk::Maya::OpenMayaHost
