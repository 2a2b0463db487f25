// MGeometryUtilities: display status and wireframe colour of selected objects.
#pragma once
#include <maya/MColor.h>
#include <maya/MDagPath.h>

namespace Autodesk::Maya::OpenMayaHost::MHWRender {

enum DisplayStatus { kActive, kDormant, kLead };

class MGeometryUtilities {
  public:
    static DisplayStatus displayStatus(const MDagPath& path);
    static MColor wireframeColor(const MDagPath& path);
};

}  // namespace Autodesk::Maya::OpenMayaHost::MHWRender
