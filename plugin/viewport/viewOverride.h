// Draws purlView in Viewport 2.0 with render/, in Maya's OpenGL context. With other devices only a bounding box is
// shown.
#pragma once
#include <maya/MMatrix.h>
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
    // Frames are in world space, regardless of the locator's transform.
    MMatrix transform(const MDagPath&, const MDagPath&) const override { return MMatrix::identity; }
    bool isBounded(const MDagPath&, const MDagPath&) const override { return true; }
    MBoundingBox boundingBox(const MDagPath& object, const MDagPath& camera) const override;
    MUserData* prepareForDraw(const MDagPath& object, const MDagPath& camera, const MHWRender::MFrameContext& context,
                              MUserData* old) override;
    bool hasUIDrawables() const override { return true; }
    // Selectable geometry: the corners of the frame's bounding box, or all its edges if selected or requested.
    void addUIDrawables(const MDagPath& object, MHWRender::MUIDrawManager& manager,
                        const MHWRender::MFrameContext& context, const MUserData* data) override;

  private:
    explicit ViewOverride(const MObject& object);
    static void draw(const MHWRender::MDrawContext& context, const MUserData* data);

    Bounds focus_;  // of the first frame, so that shadows and absorption lengths stay constant
    bool deviceReported_ = false;
};

}  // namespace purl
