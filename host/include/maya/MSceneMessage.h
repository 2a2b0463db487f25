// MSceneMessage: messages about files.
#pragma once
#include <maya/MMessage.h>

namespace Autodesk::Maya::OpenMayaHost {

class MSceneMessage : public MMessage {
  public:
    enum Message {
        kBeforeNew,
        kAfterNew,
        kBeforeOpen,
        kAfterOpen,
        kBeforeImport,
        kAfterImport,
        kBeforeSave,
        kAfterSave,
    };
    static MCallbackId addCallback(Message message, MBasicFunction function, void* clientData = nullptr,
                                   MStatus* status = nullptr);
};

}  // namespace Autodesk::Maya::OpenMayaHost
