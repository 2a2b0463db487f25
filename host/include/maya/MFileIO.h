// MFileIO: the file of the current scene.
#pragma once
#include <maya/MApiNamespace.h>
#include <maya/MString.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFileIO {
  public:
    static MString currentFile();  // absolute path; empty if untitled
};

}  // namespace Autodesk::Maya::OpenMayaHost
