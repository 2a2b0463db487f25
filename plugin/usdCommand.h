// purlUsdStage: writes a USD layer that shows a cache, with looks, and a mayaUsdProxyShape that follows it. USD itself
// is not linked: its version changes with every Maya.
//     purlUsdStage -directory cache/pour [-file shot/pour.usda] [-layerOnly] [-name pourStage]
#pragma once
#include "plugin/command.h"

namespace purl {

class UsdStageCommand : public PurlCommand {
  public:
    static constexpr const char* kName = "purlUsdStage";
    static void* creator() { return new UsdStageCommand; }
    static CommandAbout about();

  private:
    const char* name() const override { return kName; }
    void run(const MArgDatabase& arguments) override;
    MObject createProxy(const MString& name);
};

}  // namespace purl
