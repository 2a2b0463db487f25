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
};

}  // namespace Autodesk::Maya::OpenMayaHost
