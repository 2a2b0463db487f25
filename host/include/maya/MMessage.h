// MMessage: the base of the message classes, which call a plugin's functions when something happens.
#pragma once
#include <maya/MObject.h>
#include <maya/MPlug.h>
#include <maya/MStatus.h>
#include <maya/MString.h>
#include <maya/MTime.h>

#include <vector>

typedef unsigned long long MCallbackId;

namespace Autodesk::Maya::OpenMayaHost {

class MCallbackIdArray;

class MMessage {
  public:
    typedef void (*MBasicFunction)(void* clientData);
    typedef void (*MTimeFunction)(MTime& time, void* clientData);
    typedef void (*MNodeFunction)(MObject& node, void* clientData);
    typedef void (*MNodeStringFunction)(MObject& node, const MString& text, void* clientData);
    typedef void (*MPlugFunction)(MPlug& source, MPlug& destination, bool made, void* clientData);

    // Every callback must be removed before its plugin is unloaded.
    static MStatus removeCallback(MCallbackId id);
    static MStatus removeCallbacks(const MCallbackIdArray& ids);
};

}  // namespace Autodesk::Maya::OpenMayaHost
