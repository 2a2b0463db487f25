// MFrameContext: the camera and viewport size of the current Viewport 2.0 frame.
#pragma once
#include <maya/MMatrix.h>

namespace purl::host {
struct ViewportAccess;
}

namespace Autodesk::Maya::OpenMayaHost::MHWRender {

class MFrameContext {
  public:
    enum MatrixType { kViewMtx, kProjectionMtx };

    MMatrix getMatrix(MatrixType type, MStatus* status = nullptr) const;
    MStatus getViewportDimensions(int& originX, int& originY, int& width, int& height) const;

  private:
    friend struct purl::host::ViewportAccess;
    MMatrix view_, projection_;
    int x_ = 0, y_ = 0, width_ = 0, height_ = 0;
};

}  // namespace Autodesk::Maya::OpenMayaHost::MHWRender
