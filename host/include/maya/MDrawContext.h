// MDrawContext: the frame's context while something is being drawn.
#pragma once
#include <maya/MFrameContext.h>

namespace Autodesk::Maya::OpenMayaHost::MHWRender {

class MDrawContext : public MFrameContext {};

}  // namespace Autodesk::Maya::OpenMayaHost::MHWRender
