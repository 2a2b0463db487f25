// MQtUtil: Maya's windows as Qt has them.
#pragma once
#include <maya/MString.h>

class QWidget;

namespace Autodesk::Maya::OpenMayaHost {

class MQtUtil {
  public:
    // Null: there is none of that name.
    static QWidget* findControl(const MString& name, const QWidget* parent = nullptr);
};

}  // namespace Autodesk::Maya::OpenMayaHost
