// MFileIO: the file that the scene is kept in.
#pragma once
#include <maya/MApiNamespace.h>
#include <maya/MString.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFileIO {
  public:
    static MString currentFile();  // absolute; empty if the scene has no name yet
};

}  // namespace Autodesk::Maya::OpenMayaHost
