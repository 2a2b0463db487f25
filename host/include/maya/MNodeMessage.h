// MNodeMessage: messages of single nodes.
#pragma once
#include <maya/MMessage.h>

namespace Autodesk::Maya::OpenMayaHost {

class MNodeMessage : public MMessage {
  public:
    // A combination; with a connection, the second plug is its other end.
    enum AttributeMessage {
        kConnectionMade = 0x01,
        kConnectionBroken = 0x02,
        kAttributeSet = 0x08,
        kIncomingDirection = 0x800,
        kOtherPlugSet = 0x4000
    };
    typedef void (*MAttr2PlugFunction)(AttributeMessage message, MPlug& plug, MPlug& other, void* clientData);

    static MCallbackId addAttributeChangedCallback(MObject& node, MAttr2PlugFunction function,
                                                   void* clientData = nullptr, MStatus* status = nullptr);
    // A null node: of every node.
    static MCallbackId addNameChangedCallback(MObject& node, MNodeStringFunction function, void* clientData = nullptr,
                                              MStatus* status = nullptr);
    static MCallbackId addNodePreRemovalCallback(MObject& node, MNodeFunction function, void* clientData = nullptr,
                                                 MStatus* status = nullptr);
};

}  // namespace Autodesk::Maya::OpenMayaHost
