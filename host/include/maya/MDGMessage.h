// MDGMessage: messages of the dependency graph. Null ids mean failure.
#pragma once
#include <maya/MMessage.h>

namespace Autodesk::Maya::OpenMayaHost {

class MDGMessage : public MMessage {
  public:
    static MCallbackId addTimeChangeCallback(MTimeFunction function, void* clientData = nullptr,
                                             MStatus* status = nullptr);
    static MCallbackId addNodeAddedCallback(MNodeFunction function, const MString& nodeType = MString("dependNode"),
                                            void* clientData = nullptr, MStatus* status = nullptr);
    static MCallbackId addNodeRemovedCallback(MNodeFunction function, const MString& nodeType = MString("dependNode"),
                                              void* clientData = nullptr, MStatus* status = nullptr);
    static MCallbackId addConnectionCallback(MPlugFunction function, void* clientData = nullptr,
                                             MStatus* status = nullptr);
};

}  // namespace Autodesk::Maya::OpenMayaHost
