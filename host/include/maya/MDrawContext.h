// MDrawContext: the frame context during drawing.
#pragma once
#include <maya/MFrameContext.h>

namespace Autodesk::Maya::OpenMayaHost::MHWRender {

class MDrawContext : public MFrameContext {};

}  // namespace Autodesk::Maya::OpenMayaHost::MHWRender
