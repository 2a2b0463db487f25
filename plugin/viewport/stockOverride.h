// Draws purlView in Viewport 2.0 with its stock shaders, on every device: meshes as shaded triangles, particles as
// points, yarns as lines, with the colours of wet fabrics. ViewOverride draws the finished picture, but in OpenGL only.
#pragma once
#include <maya/MObject.h>
#include <maya/MPxSubSceneOverride.h>
#include <maya/MStatus.h>

#include <memory>

#include "nodes/viewNode.h"

namespace purl {

MStatus registerStockOverride();
MStatus deregisterStockOverride();

class StockOverride : public MHWRender::MPxSubSceneOverride {
  public:
    static MHWRender::MPxSubSceneOverride* creator(const MObject& object) { return new StockOverride(object); }
    ~StockOverride() override;

    MHWRender::DrawAPI supportedDrawAPIs() const override { return MHWRender::kAllDevices; }
    bool requiresUpdate(const MHWRender::MSubSceneContainer& container,
                        const MHWRender::MFrameContext& context) const override;
    void update(MHWRender::MSubSceneContainer& container, const MHWRender::MFrameContext& context) override;

  private:
    explicit StockOverride(const MObject& object);
    struct Items;

    MObject node_;
    std::shared_ptr<const Frame> frame_;  // that is shown
    ViewParams params_;
    std::unique_ptr<Items> items_;
};

}  // namespace purl
