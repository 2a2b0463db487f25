// MQtUtil: access to Maya's Qt widgets.
#pragma once
#include <maya/MString.h>

class QWidget;

namespace Autodesk::Maya::OpenMayaHost {

class MQtUtil {
  public:
    // Null if there is no control with this name.
    static QWidget* findControl(const MString& name, const QWidget* parent = nullptr);
};

}  // namespace Autodesk::Maya::OpenMayaHost
