// Yarns as clouds of small quads that show a slice of fibres (lumislice.h): quads across the yarn, and quads along it
// in two directions, so that from nowhere all of them are seen edge-on (Güdükbay 6.1). They are blended, so they are
// sorted far to near for each eye.
#pragma once
#include <functional>
#include <vector>

#include "render/camera.h"
#include "render/yarnPath.h"
#include "solver/core/buffer.h"

namespace purl {

struct QuadSettings {
    float gap = 0;   // between quads across the yarn, a length
    int layers = 6;  // of quads along it, in each direction
    int stride = 3;  // samples that a quad along it spans
    bool across = true, lengthwise = true;
    YarnShape shape = YarnShape::spline;

    bool operator==(const QuadSettings& o) const {
        return gap == o.gap && layers == o.layers && stride == o.stride && across == o.across &&
               lengthwise == o.lengthwise && shape == o.shape;
    }
};

// As attributes 0 to 5 and 7 of lumislice.vert.
struct QuadVertex {
    Vec3 position;
    Vec3 out;    // from the yarn's middle, in radii
    Vec3 along;  // of the yarn
    Vec3 color;
    float u, v;   // the same as `out` in the frame of the plies
    float depth;  // how much yarn the quad stands for towards the eye, in radii
    float wet;    // 0 to 1
};

// A picture with one sample a pixel that quads are to be drawn into, to leave out those that change no pixel of it.
struct QuadSight {
    Mat4 clipFromWorld;
    int width = 0, height = 0;
    const float* depths = nullptr;  // what is there already, row after row from below; 0 near to 1 far
};

class YarnQuads {
  public:
    // Makes them anew where curves or settings are not those of the last call.
    void set(const Curves& curves, const QuadSettings& settings);
    // Far to near; does nothing where neither the quads nor the eye changed since the last call. `sort`: of 32-bit keys
    // with their order; null: sortByKey, on all of the CPU's threads.
    using Sort = std::function<void(Buffer<uint64_t>&, Buffer<int>&)>;
    void sortFrom(Vec3 eye, const Sort& sort = nullptr);
    // The same of those only that may show: the others cover no pixel's middle, or only such that hide them.
    void sortFrom(Vec3 eye, const QuadSight& sight, const Sort& sort = nullptr);

    int count() const { return quads_.size(); }
    int shown() const { return order_.size(); }  // that were sorted
    int sorts() const { return sorts_; }
    const std::vector<YarnSample>& samples() const { return samples_; }
    size_t bytes() const;

    // Of quads `first` … `first + count` of those shown, in their order, four vertices each: (−, −), (+, −), (+, +),
    // (−, +).
    void expand(int first, int count, QuadVertex* vertices) const;

  private:
    struct Quad {
        int sample;
        short span;  // samples to its other end; 0: it lies across the yarn
        char stack;  // of those along it: 1, 2: `side` or `up` is its normal
        char layer;
    };
    friend struct ExpandQuad;
    friend struct QuadDepth;
    friend struct QuadShows;
    void sortShown(Vec3 eye, const Sort& sort);

    struct Turn {
        float cosine, sine;
    };
    std::vector<YarnSample> samples_;
    std::vector<Turn> turns_;  // by the samples' twists
    Buffer<Quad> quads_;
    Buffer<int> order_;
    Buffer<uint64_t> keys_;
    Buffer<uint8_t> shows_;  // whether a quad may; kept to be filled anew
    QuadSettings settings_;
    uint64_t made_ = 0;  // hash of what they were made of
    bool sorted_ = false;
    int sorts_ = 0;
    Vec3 eye_;
};

}  // namespace purl
