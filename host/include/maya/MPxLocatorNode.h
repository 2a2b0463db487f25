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
};

}  // namespace Autodesk::Maya::OpenMayaHost
