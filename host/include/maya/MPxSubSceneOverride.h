// MPxSubSceneOverride: draws a plugin's shape as render items, whatever the graphics API.
#pragma once
#include <maya/MViewport2Renderer.h>

#include <memory>
#include <vector>

namespace purl::host {
struct ViewportAccess;
}

namespace Autodesk::Maya::OpenMayaHost {
class MBoundingBox;
class MObject;
class MString;
}  // namespace Autodesk::Maya::OpenMayaHost

namespace Autodesk::Maya::OpenMayaHost::MHWRender {

class MFrameContext;
class MIndexBuffer;
class MRenderItem;
class MVertexBufferArray;

class MSubSceneContainer {
  public:
    bool add(MRenderItem* item);  // takes it; false if there is one of this name
    MRenderItem* find(const MString& name) const;
    bool remove(const MString& name);
    void clear();
    int count() const { return static_cast<int>(items_.size()); }

  private:
    friend struct purl::host::ViewportAccess;
    std::vector<std::shared_ptr<MRenderItem>> items_;
};

class MPxSubSceneOverride {
  public:
    explicit MPxSubSceneOverride(const MObject& object);
    virtual ~MPxSubSceneOverride() = default;
    MPxSubSceneOverride(const MPxSubSceneOverride&) = delete;
    MPxSubSceneOverride& operator=(const MPxSubSceneOverride&) = delete;

    virtual DrawAPI supportedDrawAPIs() const { return kAllDevices; }
    virtual bool requiresUpdate(const MSubSceneContainer& container, const MFrameContext& frameContext) const = 0;
    virtual void update(MSubSceneContainer& container, const MFrameContext& frameContext) = 0;

  protected:
    // Copies what the item is drawn with; it must be in a container.
    MStatus setGeometryForRenderItem(MRenderItem& renderItem, const MVertexBufferArray& vertexBuffers,
                                     const MIndexBuffer& indexBuffer, const MBoundingBox* objectBox = nullptr) const;
};

}  // namespace Autodesk::Maya::OpenMayaHost::MHWRender
