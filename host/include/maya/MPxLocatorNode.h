// MPxLocatorNode: the base class of plugin shapes that are shown in the viewport but not rendered.
#pragma once
#include <maya/MBoundingBox.h>
#include <maya/MPxNode.h>

namespace Autodesk::Maya::OpenMayaHost {

class MPxLocatorNode : public MPxNode {
  public:
    Type type() const override;
    virtual bool isBounded() const;            // false: never culled
    virtual MBoundingBox boundingBox() const;  // in object space; used if isBounded
#if MAYA_API_VERSION >= 20200000
    // Unlike other nodes, plugin locators disable cached playback by default.
    void getCacheSetup(const MEvaluationNode& evaluationNode, MNodeCacheDisablingInfo& disablingInfo,
                       MNodeCacheSetupInfo& setupInfo, MObjectArray& monitoredAttributes) const override;
#endif
};

}  // namespace Autodesk::Maya::OpenMayaHost
