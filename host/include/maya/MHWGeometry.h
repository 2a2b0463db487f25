// Geometry of Viewport 2.0 that does not depend on the graphics API: vertex and index buffers, and render items that
// draw them with a shader.
#pragma once
#include <maya/MMatrix.h>
#include <maya/MStatus.h>
#include <maya/MString.h>

#include <memory>
#include <vector>

namespace purl::host {
struct ViewportAccess;
}

namespace Autodesk::Maya::OpenMayaHost::MHWRender {

class MShaderInstance;

class MGeometry {
  public:
    enum Primitive { kInvalidPrimitive, kPoints, kLines, kLineStrip, kTriangles, kTriangleStrip };
    enum Semantic { kInvalidSemantic, kPosition, kNormal, kTexture, kColor };
    enum DataType {
        kInvalidType,
        kFloat,
        kDouble,
        kChar,
        kUnsignedChar,
        kInt16,
        kUnsignedInt16,
        kInt32,
        kUnsignedInt32
    };
    enum DrawMode { kWireframe = 1, kShaded = 2, kTextured = 4, kBoundingBox = 8, kSelectionOnly = 16, kAll = ~0 };
};

class MVertexBufferDescriptor {
  public:
    MVertexBufferDescriptor() = default;
    MVertexBufferDescriptor(const MString& name, MGeometry::Semantic semantic, MGeometry::DataType dataType,
                            int dimension)
        : name_(name), semantic_(semantic), dataType_(dataType), dimension_(dimension) {}
    MString name() const { return name_; }
    MGeometry::Semantic semantic() const { return semantic_; }
    MGeometry::DataType dataType() const { return dataType_; }
    int dimension() const { return dimension_; }

  private:
    MString name_;
    MGeometry::Semantic semantic_ = MGeometry::kInvalidSemantic;
    MGeometry::DataType dataType_ = MGeometry::kInvalidType;
    int dimension_ = 0;
};

// Of floats only.
class MVertexBuffer {
  public:
    explicit MVertexBuffer(const MVertexBufferDescriptor& descriptor) : descriptor_(descriptor) {}
    const MVertexBufferDescriptor& descriptor() const { return descriptor_; }
    // Memory for `size` vertices, to be filled and committed.
    void* acquire(unsigned int size, bool writeOnly);
    void commit(void* buffer);
    unsigned int vertexCount() const;

  private:
    friend struct purl::host::ViewportAccess;
    MVertexBufferDescriptor descriptor_;
    std::shared_ptr<std::vector<float>> values_ = std::make_shared<std::vector<float>>(), filling_;
};

// Of 32-bit indices only.
class MIndexBuffer {
  public:
    explicit MIndexBuffer(MGeometry::DataType type) : type_(type) {}
    MGeometry::DataType dataType() const { return type_; }
    void* acquire(unsigned int size, bool writeOnly);
    void commit(void* buffer);
    unsigned int size() const;

  private:
    friend struct purl::host::ViewportAccess;
    MGeometry::DataType type_;
    std::shared_ptr<std::vector<unsigned int>> values_ = std::make_shared<std::vector<unsigned int>>(), filling_;
};

class MVertexBufferArray {
  public:
    MStatus addBuffer(const MString& name, MVertexBuffer* buffer);
    unsigned int count() const { return static_cast<unsigned int>(buffers_.size()); }
    MVertexBuffer* getBuffer(unsigned int index) const { return index < buffers_.size() ? buffers_[index] : nullptr; }

  private:
    std::vector<MVertexBuffer*> buffers_;
};

// Belongs to the container that it is added to.
class MRenderItem {
  public:
    enum RenderItemType { NonMaterialSceneItem, MaterialSceneItem, DecorationItem };
    static MRenderItem* Create(const MString& name, RenderItemType type, MGeometry::Primitive primitive);
    static void Destroy(MRenderItem*& item);

    MString name() const { return name_; }
    MGeometry::Primitive primitive() const { return primitive_; }
    void setDrawMode(MGeometry::DrawMode mode) { mode_ = mode; }
    MGeometry::DrawMode drawMode() const { return mode_; }
    void enable(bool on) { enabled_ = on; }
    bool isEnabled() const { return enabled_; }
    bool setShader(const MShaderInstance* shader) {
        shader_ = shader;
        return true;
    }
    bool setMatrix(const MMatrix* mat);  // null: that of the object
    void castsShadows(bool on) { castsShadows_ = on; }
    void receivesShadows(bool on) { receivesShadows_ = on; }

  private:
    friend struct purl::host::ViewportAccess;
    MRenderItem(const MString& name, MGeometry::Primitive primitive) : name_(name), primitive_(primitive) {}

    MString name_;
    MGeometry::Primitive primitive_;
    MGeometry::DrawMode mode_ = MGeometry::kAll;
    bool enabled_ = true, castsShadows_ = false, receivesShadows_ = false, hasMatrix_ = false;
    MMatrix matrix_;
    const MShaderInstance* shader_ = nullptr;
    std::vector<float> positions_, normals_, colors_;  // three, three and four a vertex
    std::vector<unsigned int> indices_;
};

}  // namespace Autodesk::Maya::OpenMayaHost::MHWRender
