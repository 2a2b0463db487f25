// MPxLocatorNode: the base of shapes that plugins bring to be seen in the viewport, but not rendered.
#pragma once
#include <maya/MBoundingBox.h>
#include <maya/MPxNode.h>

namespace Autodesk::Maya::OpenMayaHost {

class MPxLocatorNode : public MPxNode {
  public:
    Type type() const override;
    virtual bool isBounded() const;            // false: it is drawn wherever the camera looks
    virtual MBoundingBox boundingBox() const;  // in its own space; counts where isBounded says so
#if MAYA_API_VERSION >= 20200000
    // Unlike other nodes, locators of plugins stand in the way of cached playback until they say otherwise.
    void getCacheSetup(const MEvaluationNode& evaluationNode, MNodeCacheDisablingInfo& disablingInfo,
                       MNodeCacheSetupInfo& setupInfo, MObjectArray& monitoredAttributes) const override;
#endif
};

}  // namespace Autodesk::Maya::OpenMayaHost
