// MUIDrawManager: draws simple selectable primitives in the viewport. The host records them.
#pragma once
#include <maya/MColor.h>
#include <maya/MDagPath.h>
#include <maya/MPointArray.h>

#include <vector>

namespace Autodesk::Maya::OpenMayaHost::MHWRender {

class MUIDrawManager {
  public:
    void beginDrawable();
    void endDrawable();
    void setColor(const MColor& color);
    MStatus lineList(const MPointArray& points, bool draw2D);  // each pair of points is a line

  private:
    friend struct purl::host::ViewportAccess;
    struct Lines {
        MPointArray points;
        MColor color;
    };
    std::vector<Lines> lines_;
    MColor color_;
    bool open_ = false;
};

}  // namespace Autodesk::Maya::OpenMayaHost::MHWRender
