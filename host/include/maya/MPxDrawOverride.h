// MPxDrawOverride: draws a plugin's shapes in Viewport 2.0 with direct graphics API calls.
#pragma once
#include <maya/MBoundingBox.h>
#include <maya/MDagPath.h>
#include <maya/MDrawContext.h>
#include <maya/MUIDrawManager.h>
#include <maya/MUserData.h>
#include <maya/MViewport2Renderer.h>

namespace Autodesk::Maya::OpenMayaHost::MHWRender {

class MPxDrawOverride {
  public:
    typedef void (*GeometryDrawOverrideCb)(const MDrawContext& context, const MUserData* data);

    MPxDrawOverride(const MObject& object, GeometryDrawOverrideCb draw, bool isAlwaysDirty = true);
    virtual ~MPxDrawOverride() = default;
    MPxDrawOverride(const MPxDrawOverride&) = delete;
    MPxDrawOverride& operator=(const MPxDrawOverride&) = delete;

    virtual DrawAPI supportedDrawAPIs() const;
    virtual MMatrix transform(const MDagPath& object, const MDagPath& camera) const;
    virtual bool isBounded(const MDagPath& object, const MDagPath& camera) const;
    virtual MBoundingBox boundingBox(const MDagPath& object, const MDagPath& camera) const;
    // `old` is the previous result, initially null. The viewport owns the result.
    virtual MUserData* prepareForDraw(const MDagPath& object, const MDagPath& camera, const MFrameContext& context,
                                      MUserData* old) = 0;
    virtual bool hasUIDrawables() const;
    virtual void addUIDrawables(const MDagPath& object, MUIDrawManager& drawManager, const MFrameContext& context,
                                const MUserData* data);

  private:
    friend struct purl::host::ViewportAccess;
    GeometryDrawOverrideCb draw_;
};

}  // namespace Autodesk::Maya::OpenMayaHost::MHWRender
