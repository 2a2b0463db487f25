// MUIDrawManager: simple things to be drawn, and clicked on, in the viewport. The host keeps what it was given.
#pragma once
#include <maya/MColor.h>
#include <maya/MDagPath.h>
#include <maya/MPointArray.h>

#include <vector>

namespace purl::host {
struct ViewportAccess;
}

namespace Autodesk::Maya::OpenMayaHost::MHWRender {

class MUIDrawManager {
  public:
    void beginDrawable();
    void endDrawable();
    void setColor(const MColor& color);
    MStatus lineList(const MPointArray& points, bool draw2D);  // every two points are a line

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
