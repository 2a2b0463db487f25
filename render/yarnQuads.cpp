#include "render/yarnQuads.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "solver/core/forEach.h"
#include "solver/core/hash.h"
#include "solver/core/sort.h"

namespace purl {
namespace {

uint64_t hashOf(const Curves& curves, const QuadSettings& settings) {
    Hash hash;
    hash.add(curves.counts.vector());
    hash.add(curves.colors.vector());
    hash.add(curves.pointColors.vector());
    hash.add(curves.positions.vector());
    hash.add(curves.widths.vector());
    hash.add(curves.twists.vector());
    hash.add(curves.wetting.wetness.vector());
    hash.add(settings.gap);
    hash.add(settings.layers);
    hash.add(settings.stride);
    hash.add(settings.across);
    hash.add(settings.lengthwise);
    hash.add(settings.shape);
    return hash.value();
}

// Offset of a layer from the yarn's axis, in radii.
float layerOffset(int layer, int layers) { return (2 * float(layer) + 1) / float(layers) - 1; }

}  // namespace

// Centre and normal of a quad.
struct QuadPose {
    Vec3 middle, normal;
};

struct QuadDepth {
    const YarnQuads& yarn;
    Vec3 eye;
    const int* order;
    uint64_t* keys;

    static QuadPose pose(const YarnQuads& yarn, const YarnQuads::Quad& quad) {
        const YarnSample& s = yarn.samples_[quad.sample];
        if (quad.stack == 0) return {s.x, s.along};
        const YarnSample& e = yarn.samples_[quad.sample + quad.span];
        const float at = layerOffset(quad.layer, yarn.settings_.layers);
        const auto normal = [&](const YarnSample& y) { return quad.stack == 1 ? y.side : cross(y.along, y.side); };
        return {0.5f * (s.x + e.x + at * (s.radius * normal(s) + e.radius * normal(e))), normal(s)};
    }
    // Back to front: the bits of a positive float ascend with its value, so they are inverted.
    void operator()(int i) const {
        const float distance = length(pose(yarn, yarn.quads_[order[i]]).middle - eye);
        uint32_t bits;
        std::memcpy(&bits, &distance, sizeof bits);
        keys[i] = ~bits;
    }
};

// A corner of a quad: sample index and position in its cross-section, in radii along `side` and `up`.
struct QuadCorner {
    int sample;
    float u, v;
};

struct QuadShape {
    QuadCorner corners[4];

    QuadShape(int begin, int span, int stack, float at) {
        const int end = begin + span;
        if (stack == 0) {
            set({begin, -1, -1}, {begin, 1, -1}, {begin, 1, 1}, {begin, -1, 1});
            return;
        }
        const float wide = std::sqrt(std::max(0.0f, 1 - at * at));
        if (stack == 1)
            set({begin, at, -wide}, {end, at, -wide}, {end, at, wide}, {begin, at, wide});
        else
            set({begin, -wide, at}, {end, -wide, at}, {end, wide, at}, {begin, wide, at});
    }
    void set(QuadCorner a, QuadCorner b, QuadCorner c, QuadCorner d) {
        corners[0] = a;
        corners[1] = b;
        corners[2] = c;
        corners[3] = d;
    }
};

// Conservative visibility test. Rasterizers round positions to fractions of a pixel and depth to a few bits: what is
// closer to an edge or depth than that counts as inside, so that no pixel is lost.
struct CullQuad {
    const YarnQuads& yarn;
    QuadCulling culling;
    uint8_t* shows;

    static constexpr float kRounding = 1.0f / 32;  // pixels; rasterizers keep 4 to 8 sub-pixel bits
    static constexpr float kDepthRounding = 1e-6f;
    static constexpr int kMaxTestedPixels =
        12;  // per side of a quad's screen bounds; larger ones are not tested per pixel

    struct ScreenPoint {
        float x, y, z;  // pixels from the lower left; depth 0 to 1
    };
    // False if the point is behind the eye.
    bool project(Vec3 p, ScreenPoint& to) const {
        const float* m = culling.clipFromWorld.m;
        const float w = m[3] * p.x + m[7] * p.y + m[11] * p.z + m[15];
        if (!(w > 1e-6f)) return false;
        to.x = (0.5f + 0.5f * (m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12]) / w) * float(culling.width);
        to.y = (0.5f + 0.5f * (m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13]) / w) * float(culling.height);
        to.z = 0.5f + 0.5f * (m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14]) / w;
        return true;
    }
    // Whether a point is inside a triangle or within kRounding of it.
    static bool covers(const ScreenPoint& a, const ScreenPoint& b, const ScreenPoint& c, float x, float y) {
        const float orientation = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) < 0 ? -1.0f : 1.0f;
        const auto isOutside = [&](const ScreenPoint& p, const ScreenPoint& q) {
            const float dx = q.x - p.x, dy = q.y - p.y;
            // |dx| + |dy| is at least the edge's length, so the margin is at least kRounding
            return orientation * (dx * (y - p.y) - dy * (x - p.x)) < -kRounding * (std::abs(dx) + std::abs(dy));
        };
        return !isOutside(a, b) && !isOutside(b, c) && !isOutside(c, a);
    }
    bool mayBeVisible(const YarnQuads::Quad& quad) const {
        const QuadShape shape(quad.sample, quad.span, quad.stack, layerOffset(quad.layer, yarn.settings_.layers));
        ScreenPoint p[4];
        for (int k = 0; k < 4; ++k) {
            const QuadCorner corner = shape.corners[k];
            const YarnSample& s = yarn.samples_[corner.sample];
            const Vec3 out = corner.u * s.side + corner.v * cross(s.along, s.side);
            if (!project(s.x + s.radius * out, p[k])) return true;
        }
        const auto lowest = [&](float ScreenPoint::*v) { return std::min({p[0].*v, p[1].*v, p[2].*v, p[3].*v}); };
        const auto highest = [&](float ScreenPoint::*v) { return std::max({p[0].*v, p[1].*v, p[2].*v, p[3].*v}); };
        // Pixel centres are at half-integers.
        const auto first = [](float low) { return std::ceil(low - 0.5f - kRounding); };
        const auto last = [](float high) { return std::floor(high - 0.5f + kRounding); };
        const float left = std::max(first(lowest(&ScreenPoint::x)), 0.0f);
        const float right = std::min(last(highest(&ScreenPoint::x)), float(culling.width - 1));
        const float low = std::max(first(lowest(&ScreenPoint::y)), 0.0f);
        const float high = std::min(last(highest(&ScreenPoint::y)), float(culling.height - 1));
        if (left > right || low > high) return false;
        if (right - left >= kMaxTestedPixels || high - low >= kMaxTestedPixels) return true;
        const float nearest = lowest(&ScreenPoint::z) - kDepthRounding;
        for (int y = static_cast<int>(low); y <= static_cast<int>(high); ++y)
            for (int x = static_cast<int>(left); x <= static_cast<int>(right); ++x) {
                if (nearest > culling.depths[size_t(y) * size_t(culling.width) + size_t(x)]) continue;
                const float mx = float(x) + 0.5f, my = float(y) + 0.5f;
                if (covers(p[0], p[1], p[2], mx, my) || covers(p[0], p[2], p[3], mx, my)) return true;
            }
        return false;
    }
    void operator()(int i) const { shows[i] = mayBeVisible(yarn.quads_[i]) ? 1 : 0; }
};

struct ExpandQuad {
    const YarnQuads& yarn;
    int first;
    QuadVertex* vertices;

    void put(QuadVertex& vertex, int sample, float u, float v, float depth) const {
        const YarnSample& s = yarn.samples_[sample];
        const YarnQuads::Rotation rotation = yarn.rotations_[sample];
        const Vec3 out = u * s.side + v * cross(s.along, s.side);
        vertex = {s.x + s.radius * out,
                  out,
                  s.along,
                  s.color,
                  rotation.cosine * u + rotation.sine * v,
                  rotation.cosine * v - rotation.sine * u,
                  depth,
                  s.wetness};
    }
    void operator()(int i) const {
        const YarnQuads::Quad quad = yarn.quads_[yarn.order_[first + i]];
        const QuadSettings& settings = yarn.settings_;
        const YarnSample& s = yarn.samples_[quad.sample];
        const QuadPose pose = QuadDepth::pose(yarn, quad);
        // A ray through the yarn crosses |n·v|/gap quads of a stack per unit length. If each represents gap |n·v|, the
        // three stacks together represent the whole length, since Σ (n·v)² = 1.
        const float facing = std::abs(dot(pose.normal, normalized(yarn.eye_ - pose.middle)));
        const float gap = quad.stack == 0 ? settings.gap / std::max(s.radius, 1e-12f) : 2 / float(settings.layers);
        const float depth = gap * facing;
        const QuadShape shape(quad.sample, quad.span, quad.stack, layerOffset(quad.layer, settings.layers));
        for (int k = 0; k < 4; ++k)
            put(vertices[4 * i + k], shape.corners[k].sample, shape.corners[k].u, shape.corners[k].v, depth);
    }
};

void YarnQuads::set(const Curves& curves, const QuadSettings& settings) {
    const uint64_t sourceHash = hashOf(curves, settings);
    if (sourceHash == sourceHash_) return;
    sourceHash_ = sourceHash;
    sorted_ = false;
    settings_ = settings;
    samples_ = sampleYarns(curves, settings.gap, settings.shape);
    rotations_.clear();
    for (const YarnSample& s : samples_) rotations_.push_back({std::cos(s.twist), std::sin(s.twist)});
    // Lengthwise quads restart with each run; the last one of a run may be shorter.
    const int samples = static_cast<int>(samples_.size());
    quads_.resize(samples * ((settings.across ? 1 : 0) + (settings.lengthwise ? 2 * settings.layers : 0)));
    int count = 0, begin = 0;
    for (int i = 0; i < samples; ++i) {
        if (samples_[i].run != samples_[begin].run) begin = i;
        if (settings.across) quads_[count++] = {i, 0, 0, 0};
        if (!settings.lengthwise || (i - begin) % settings.stride != 0) continue;
        short span = 0;
        while (span < settings.stride && i + span + 1 < samples && samples_[i + span + 1].run == samples_[i].run)
            ++span;
        for (char stack = 1; span > 0 && stack <= 2; ++stack)
            for (int layer = 0; layer < settings.layers; ++layer)
                quads_[count++] = {i, span, stack, static_cast<char>(layer)};
    }
    quads_.resize(count);
}

void YarnQuads::sortFrom(Vec3 eye, const Sort& sort) {
    if (sorted_ && eye == eye_) return;
    sorted_ = true;
    order_.resize(quads_.size());
    for (int i = 0; i < order_.size(); ++i) order_[i] = i;
    sortVisible(eye, sort);
}

void YarnQuads::sortFrom(Vec3 eye, const QuadCulling& culling, const Sort& sort) {
    sorted_ = false;  // visibility depends on the view
    visible_.resize(quads_.size());
    forEach(Device::cpu(), "quads that show", quads_.size(), CullQuad{*this, culling, visible_.begin()}, 4096);
    order_.resize(quads_.size());
    int count = 0;
    for (int i = 0; i < quads_.size(); ++i) {
        order_[count] = i;
        count += visible_[i];
    }
    order_.resize(count);
    sortVisible(eye, sort);
}

void YarnQuads::sortVisible(Vec3 eye, const Sort& sort) {
    eye_ = eye;
    ++sorts_;
    keys_.resize(order_.size());
    forEach(Device::cpu(), "depths of quads", order_.size(), QuadDepth{*this, eye, order_.begin(), keys_.begin()},
            4096);
    if (sort)
        sort(keys_, order_);
    else
        sortByKey(keys_, order_, 32);
}

void YarnQuads::expand(int first, int count, QuadVertex* vertices) const {
    forEach(Device::cpu(), "corners of quads", count, ExpandQuad{*this, first, vertices}, 4096);
}

size_t YarnQuads::bytes() const {
    return samples_.size() * (sizeof(YarnSample) + sizeof(Rotation)) +
           size_t(quads_.size()) * (sizeof(Quad) + sizeof(int) + sizeof(uint64_t) + sizeof(uint8_t));
}

}  // namespace purl
