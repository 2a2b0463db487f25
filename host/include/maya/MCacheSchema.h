// MCacheSchema: which attributes of a node cached playback keeps for every frame.
#pragma once
#include <maya/MObject.h>

#if MAYA_API_VERSION < 20200000
    #error "MCacheSchema came with Maya 2020"
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
