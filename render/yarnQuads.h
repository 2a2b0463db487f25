// Yarns as small textured quads that show a lumislice (lumislice.h): one stack of quads across the yarn and two along
// it, so that from no direction all are seen edge-on (Güdükbay 6.1). They are alpha blended and therefore sorted back
// to front.
#pragma once
#include <functional>
#include <vector>

#include "render/camera.h"
#include "render/yarnPath.h"
#include "solver/core/buffer.h"

namespace purl {

struct QuadSettings {
    float gap = 0;   // spacing of the quads across the yarn
    int layers = 6;  // layers of quads along the yarn, per direction
    int stride = 3;  // samples spanned by a quad along the yarn
    bool across = true, lengthwise = true;
    YarnShape shape = YarnShape::spline;

    bool operator==(const QuadSettings& o) const {
        return gap == o.gap && layers == o.layers && stride == o.stride && across == o.across &&
               lengthwise == o.lengthwise && shape == o.shape;
    }
};

// Vertex attributes 0 to 5 and 7 of lumislice.vert.
struct QuadVertex {
    Vec3 position;
    Vec3 out;    // offset from the yarn's axis, in radii
    Vec3 along;  // tangent of the yarn
    Vec3 color;
    float u, v;   // `out` in the rotating frame of the plies
    float depth;  // thickness of yarn that the quad represents along the eye ray, in radii
    float wet;    // 0 to 1
};

// Depth buffer for occlusion culling: quads that change no pixel are dropped.
struct QuadCulling {
    Mat4 clipFromWorld;
    int width = 0, height = 0;
    const float* depths = nullptr;  // existing depth, rows from the bottom; 0 near, 1 far
};

class YarnQuads {
  public:
    // Rebuilds the quads if curves or settings differ from the last call.
    void set(const Curves& curves, const QuadSettings& settings);
    // Sorts back to front; does nothing if neither the quads nor the eye changed. `sort`: sorts 32-bit keys along with
    // their order; null: sortByKey on all CPU threads.
    using Sort = std::function<void(Buffer<uint64_t>&, Buffer<int>&)>;
    void sortFrom(Vec3 eye, const Sort& sort = nullptr);
    // The same for quads that may be visible: the others cover no pixel centre or are occluded.
    void sortFrom(Vec3 eye, const QuadCulling& culling, const Sort& sort = nullptr);

    int count() const { return quads_.size(); }
    int visibleCount() const { return order_.size(); }  // sorted quads
    int sorts() const { return sorts_; }
    const std::vector<YarnSample>& samples() const { return samples_; }
    size_t bytes() const;

    // Writes the vertices of visible quads `first` … `first + count`, in sorted order, four each: (−, −), (+, −), (+,
    // +), (−, +).
    void expand(int first, int count, QuadVertex* vertices) const;

  private:
    struct Quad {
        int sample;
        short span;  // samples to its other end; 0: lies across the yarn
        char stack;  // 1, 2: along the yarn with normal `side` or `up`
        char layer;
    };
    friend struct ExpandQuad;
    friend struct QuadDepth;
    friend struct CullQuad;
    void sortVisible(Vec3 eye, const Sort& sort);

    struct Rotation {
        float cosine, sine;
    };
    std::vector<YarnSample> samples_;
    std::vector<Rotation> rotations_;  // rotation by each sample's twist
    Buffer<Quad> quads_;
    Buffer<int> order_;
    Buffer<uint64_t> keys_;
    Buffer<uint8_t> visible_;  // per quad; a member to reuse its memory
    QuadSettings settings_;
    uint64_t sourceHash_ = 0;  // hash of the curves and settings they were built from
    bool sorted_ = false;
    int sorts_ = 0;
    Vec3 eye_;
};

}  // namespace purl
