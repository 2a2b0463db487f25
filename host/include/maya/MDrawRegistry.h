// MDrawRegistry: maps draw classifications to draw overrides.
#pragma once
#include <maya/MObject.h>
#include <maya/MString.h>

namespace Autodesk::Maya::OpenMayaHost::MHWRender {

class MPxDrawOverride;
class MPxSubSceneOverride;

class MDrawRegistry {
  public:
    typedef MPxDrawOverride* (*DrawOverrideCreator)(const MObject& object);
    static MStatus registerDrawOverrideCreator(const MString& drawClassification, const MString& registrantId,
                                               DrawOverrideCreator creator);
    static MStatus deregisterDrawOverrideCreator(const MString& drawClassification, const MString& registrantId);
    typedef MPxSubSceneOverride* (*SubSceneOverrideCreator)(const MObject& object);
    static MStatus registerSubSceneOverrideCreator(const MString& drawClassification, const MString& registrantId,
                                                   SubSceneOverrideCreator creator);
    static MStatus deregisterSubSceneOverrideCreator(const MString& drawClassification, const MString& registrantId);
};

}  // namespace Autodesk::Maya::OpenMayaHost::MHWRender
