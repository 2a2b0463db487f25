// MRenderer: reports which graphics API Viewport 2.0 uses.
#pragma once
#include <maya/MApiNamespace.h>

namespace Autodesk::Maya::OpenMayaHost::MHWRender {

enum DrawAPI { kNone = 0, kOpenGL = 1 << 0, kDirectX11 = 1 << 1, kOpenGLCoreProfile = 1 << 2, kAllDevices = 7 };

class MShaderManager;

class MRenderer {
  public:
    static MRenderer* theRenderer(bool initializeRenderer = true);  // null if there is no viewport
    DrawAPI drawAPI() const;
    const MShaderManager* getShaderManager() const;
};

}  // namespace Autodesk::Maya::OpenMayaHost::MHWRender
