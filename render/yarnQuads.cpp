#include "render/yarnQuads.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "solver/core/forEach.h"
#include "solver/core/hash.h"
#include "solver/core/sort.h"

namespace purl {
namespace {

constexpr int kPieces = 24;  // of a span, for its length: gaps are then even to a percent or two

// One yarn's way: where a length along it lies.
struct Path {
    const Vec3* points;
    int count;
    YarnShape shape;
    std::vector<float> reached;  // length up to the end of each piece, spans in order

    Path(const Vec3* p, int n, YarnShape s) : points(p), count(n), shape(s) {
        float length = 0;
        for (int i = 0; i + 1 < count; ++i)
            for (int k = 1; k <= kPieces; ++k) {
                length += purl::length(at(i, float(k) / kPieces) - at(i, float(k - 1) / kPieces));
                reached.push_back(length);
            }
    }
    Vec3 at(int span, float t) const {
        if (shape == YarnShape::straight) return lerp(points[span], points[span + 1], t);
        return CurveSpan(points, count, span).at(t);
    }
    Vec3 along(int span, float t) const {
        const Vec3 straight = points[span + 1] - points[span];
        if (shape == YarnShape::straight) return normalized(straight);
        return normalized(CurveSpan(points, count, span).tangent(t), normalized(straight));
    }
    float length() const { return reached.empty() ? 0 : reached.back(); }
};

// All numbers of yarns whose points are finite and whose length is not nothing.
bool isSound(const Curves& curves, size_t first, int count) {
    for (int i = 0; i < count; ++i)
        if (!isFinite(curves.positions[first + size_t(i)])) return false;
    return count > 1;
}

void sampleYarn(const Curves& curves, size_t first, int yarn, float gap, YarnShape shape,
                std::vector<YarnSample>& samples) {
    const Path path(curves.positions.data() + first, curves.counts[size_t(yarn)], shape);
    const float length = path.length();
    if (!(length > 0)) return;
    const auto value = [&](const auto& values, int span, float t) {
        using T = typename std::decay_t<decltype(values)>::value_type;
        if (values.size() != curves.count()) return T{};
        return lerp(values[first + size_t(span)], values[first + size_t(span) + 1], t);
    };
    const int gaps = std::max(1, static_cast<int>(std::lround(length / gap)));
    size_t piece = 0;
    Vec3 side{1, 0, 0};
    for (int k = 0; k <= gaps; ++k) {
        const float wanted = length * float(k) / float(gaps);
        while (piece + 1 < path.reached.size() && path.reached[piece] < wanted) ++piece;
        const float before = piece ? path.reached[piece - 1] : 0, own = path.reached[piece] - before;
        const float within = own > 0 ? std::clamp((wanted - before) / own, 0.0f, 1.0f) : 0;
        const int span = static_cast<int>(piece) / kPieces;
        const float t = (float(piece % kPieces) + within) / kPieces;
        YarnSample sample;
        sample.x = path.at(span, t);
        sample.along = path.along(span, t);
        const Vec3 other = std::abs(sample.along.x) < 0.7f ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
        side = normalized(side - dot(side, sample.along) * sample.along, normalized(cross(sample.along, other)));
        sample.side = side;
        sample.radius = value(curves.widths, span, t) / 2;
        const bool wet = curves.pointColors.size() == curves.count();
        if (wet || size_t(yarn) < curves.colors.size())
            sample.color = wet ? value(curves.pointColors, span, t) : curves.colors[size_t(yarn)];
        sample.twist = value(curves.twists, span, t);
        sample.yarn = yarn;
        samples.push_back(sample);
    }
}

uint64_t hashOf(const Curves& curves, const QuadSettings& settings) {
    Hash hash;
    hash.add(curves.counts);
    hash.add(curves.colors);
    hash.add(curves.pointColors);
    hash.add(curves.positions);
    hash.add(curves.widths);
    hash.add(curves.twists);
    hash.add(settings.gap);
    hash.add(settings.layers);
    hash.add(settings.stride);
    hash.add(settings.across);
    hash.add(settings.lengthwise);
    hash.add(settings.shape);
    return hash.value();
}

// Where a layer lies, in radii from the yarn's middle.
float layerAt(int layer, int layers) { return (2 * float(layer) + 1) / float(layers) - 1; }

}  // namespace

std::vector<YarnSample> sampleYarns(const Curves& curves, float gap, YarnShape shape) {
    std::vector<YarnSample> samples;
    size_t first = 0;
    for (size_t yarn = 0; yarn < curves.counts.size(); ++yarn) {
        const int count = curves.counts[yarn];
        if (isSound(curves, first, count)) sampleYarn(curves, first, static_cast<int>(yarn), gap, shape, samples);
        first += static_cast<size_t>(count);
    }
    return samples;
}

// The middle of a quad, and the direction it faces.
struct QuadPlace {
    Vec3 middle, normal;
};

struct QuadDepth {
    const YarnQuads& own;
    Vec3 eye;
    uint64_t* keys;

    static QuadPlace place(const YarnQuads& own, const YarnQuads::Quad& quad) {
        const YarnSample& s = own.samples_[size_t(quad.sample)];
        if (quad.stack == 0) return {s.x, s.along};
        const YarnSample& e = own.samples_[size_t(quad.sample + own.settings_.stride)];
        const float at = layerAt(quad.layer, own.settings_.layers);
        const auto normal = [&](const YarnSample& y) { return quad.stack == 1 ? y.side : cross(y.along, y.side); };
        return {0.5f * (s.x + e.x + at * (s.radius * normal(s) + e.radius * normal(e))), normal(s)};
    }
    // Far ones first: bits of a positive float ascend with it.
    void operator()(int i) const {
        const float distance = length(place(own, own.quads_[i]).middle - eye);
        uint32_t bits;
        std::memcpy(&bits, &distance, sizeof bits);
        keys[i] = ~bits;
    }
};

struct ExpandQuad {
    const YarnQuads& own;
    int first;
    QuadVertex* vertices;

    void put(QuadVertex& vertex, const YarnSample& s, float u, float v, float depth) const {
        const Vec3 out = u * s.side + v * cross(s.along, s.side);
        vertex = {s.x + s.radius * out, out, s.along, s.color, u, v, s.twist, depth};
    }
    void operator()(int i) const {
        const YarnQuads::Quad quad = own.quads_[own.order_[first + i]];
        const QuadSettings& settings = own.settings_;
        const YarnSample& s = own.samples_[size_t(quad.sample)];
        const QuadPlace place = QuadDepth::place(own, quad);
        // A ray through the yarn meets |n·v|/gap quads of a stack a length. Each standing for gap |n·v| of it, the
        // three stacks together stand for all of it, since Σ (n·v)² = 1.
        const float facing = std::abs(dot(place.normal, normalized(own.eye_ - place.middle)));
        const float gap = quad.stack == 0 ? settings.gap / std::max(s.radius, 1e-12f) : 2 / float(settings.layers);
        const float depth = gap * facing;
        QuadVertex* v = vertices + 4 * i;
        if (quad.stack == 0) {
            put(v[0], s, -1, -1, depth);
            put(v[1], s, 1, -1, depth);
            put(v[2], s, 1, 1, depth);
            put(v[3], s, -1, 1, depth);
            return;
        }
        const YarnSample& e = own.samples_[size_t(quad.sample + settings.stride)];
        const float at = layerAt(quad.layer, settings.layers), wide = std::sqrt(std::max(0.0f, 1 - at * at));
        const bool aside = quad.stack == 1;
        put(v[0], s, aside ? at : -wide, aside ? -wide : at, depth);
        put(v[1], e, aside ? at : -wide, aside ? -wide : at, depth);
        put(v[2], e, aside ? at : wide, aside ? wide : at, depth);
        put(v[3], s, aside ? at : wide, aside ? wide : at, depth);
    }
};

void YarnQuads::set(const Curves& curves, const QuadSettings& settings) {
    const uint64_t made = hashOf(curves, settings);
    if (made == made_) return;
    made_ = made;
    sorted_ = false;
    settings_ = settings;
    samples_ = sampleYarns(curves, settings.gap, settings.shape);
    std::vector<Quad> quads;
    for (int i = 0; i < static_cast<int>(samples_.size()); ++i) {
        if (settings.across) quads.push_back({i, 0, 0});
        const int end = i + settings.stride;
        const bool whole =
            end < static_cast<int>(samples_.size()) && samples_[size_t(end)].yarn == samples_[size_t(i)].yarn;
        if (!settings.lengthwise || !whole || i % settings.stride != 0) continue;
        for (short stack = 1; stack <= 2; ++stack)
            for (short layer = 0; layer < settings.layers; ++layer) quads.push_back({i, stack, layer});
    }
    quads_.resize(static_cast<int>(quads.size()));
    std::copy(quads.begin(), quads.end(), quads_.begin());
}

void YarnQuads::sortFrom(Vec3 eye) {
    if (sorted_ && eye == eye_) return;
    eye_ = eye;
    sorted_ = true;
    ++sorts_;
    keys_.resize(quads_.size());
    order_.resize(quads_.size());
    for (int i = 0; i < order_.size(); ++i) order_[i] = i;
    forEach(Device::cpu(), "depths of quads", quads_.size(), QuadDepth{*this, eye, keys_.begin()}, 4096);
    sortByKey(keys_, order_, 32);
}

void YarnQuads::expand(int first, int count, QuadVertex* vertices) const {
    forEach(Device::cpu(), "corners of quads", count, ExpandQuad{*this, first, vertices}, 4096);
}

size_t YarnQuads::bytes() const {
    return samples_.size() * sizeof(YarnSample) +
           size_t(quads_.size()) * (sizeof(Quad) + sizeof(int) + sizeof(uint64_t));
}

}  // namespace purl
