// MItDependencyNodes: iterates over the nodes of the current scene in creation order.
#pragma once
#include <maya/MObject.h>

#include <vector>

namespace Autodesk::Maya::OpenMayaHost {

class MItDependencyNodes {
  public:
    MItDependencyNodes(MFn::Type filter = MFn::kInvalid, MStatus* status = nullptr);
    MStatus reset(MFn::Type filter = MFn::kInvalid);
    MObject item(MStatus* status = nullptr);
    MObject thisNode(MStatus* status = nullptr) { return item(status); }
    MStatus next();
    bool isDone(MStatus* status = nullptr);

  private:
    std::vector<MObject> nodes_;
    size_t at_ = 0;
};

}  // namespace Autodesk::Maya::OpenMayaHost
