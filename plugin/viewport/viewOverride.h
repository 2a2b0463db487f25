// Draws purlView in Maya's Viewport 2.0 by the passes of render/, into Maya's own OpenGL context. Where the viewport
// draws with another device, only a box is shown.
#pragma once
#include <maya/MPxDrawOverride.h>
#include <maya/MStatus.h>

#include <memory>

#include "solver/core/vec.h"

namespace purl {

MStatus registerViewOverride();
MStatus deregisterViewOverride();

class ViewOverride : public MHWRender::MPxDrawOverride {
  public:
    static MHWRender::MPxDrawOverride* creator(const MObject& object) { return new ViewOverride(object); }

    MHWRender::DrawAPI supportedDrawAPIs() const override { return MHWRender::kAllDevices; }
    // Frames are in the world's space, wherever the locator stands.
    MMatrix transform(const MDagPath&, const MDagPath&) const override { return MMatrix::identity; }
    bool isBounded(const MDagPath&, const MDagPath&) const override { return true; }
    MBoundingBox boundingBox(const MDagPath& object, const MDagPath& camera) const override;
    MUserData* prepareForDraw(const MDagPath& object, const MDagPath& camera, const MHWRender::MFrameContext& context,
                              MUserData* old) override;
    bool hasUIDrawables() const override { return true; }
    // What one clicks on: the corners of the frame's box, or all of it where it is selected or wanted.
    void addUIDrawables(const MDagPath& object, MHWRender::MUIDrawManager& manager,
                        const MHWRender::MFrameContext& context, const MUserData* data) override;

  private:
    explicit ViewOverride(const MObject& object);
    static void draw(const MHWRender::MDrawContext& context, const MUserData* data);

    Bounds focus_;  // of the first frame: shadows and the water's depth stay what they are
    bool told_ = false;
};

}  // namespace purl
