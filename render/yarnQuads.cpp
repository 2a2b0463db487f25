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
    hash.add(curves.counts);
    hash.add(curves.colors);
    hash.add(curves.pointColors);
    hash.add(curves.positions);
    hash.add(curves.widths);
    hash.add(curves.twists);
    hash.add(curves.wetting.wetness);
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

// The middle of a quad, and the direction it faces.
struct QuadPose {
    Vec3 middle, normal;
};

struct QuadDepth {
    const YarnQuads& own;
    Vec3 eye;
    uint64_t* keys;

    static QuadPose place(const YarnQuads& own, const YarnQuads::Quad& quad) {
        const YarnSample& s = own.samples_[size_t(quad.sample)];
        if (quad.stack == 0) return {s.x, s.along};
        const YarnSample& e = own.samples_[size_t(quad.sample + quad.span)];
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

    void put(QuadVertex& vertex, int sample, float u, float v, float depth) const {
        const YarnSample& s = own.samples_[size_t(sample)];
        const YarnQuads::Turn turn = own.turns_[size_t(sample)];
        const Vec3 out = u * s.side + v * cross(s.along, s.side);
        vertex = {s.x + s.radius * out,
                  out,
                  s.along,
                  s.color,
                  turn.cosine * u + turn.sine * v,
                  turn.cosine * v - turn.sine * u,
                  depth,
                  s.wetness};
    }
    void operator()(int i) const {
        const YarnQuads::Quad quad = own.quads_[own.order_[first + i]];
        const QuadSettings& settings = own.settings_;
        const YarnSample& s = own.samples_[size_t(quad.sample)];
        const QuadPose place = QuadDepth::place(own, quad);
        // A ray through the yarn meets |n·v|/gap quads of a stack a length. Each standing for gap |n·v| of it, the
        // three stacks together stand for all of it, since Σ (n·v)² = 1.
        const float facing = std::abs(dot(place.normal, normalized(own.eye_ - place.middle)));
        const float gap = quad.stack == 0 ? settings.gap / std::max(s.radius, 1e-12f) : 2 / float(settings.layers);
        const float depth = gap * facing;
        QuadVertex* v = vertices + 4 * i;
        const int begin = quad.sample, end = quad.sample + quad.span;
        if (quad.stack == 0) {
            put(v[0], begin, -1, -1, depth);
            put(v[1], begin, 1, -1, depth);
            put(v[2], begin, 1, 1, depth);
            put(v[3], begin, -1, 1, depth);
            return;
        }
        const float at = layerAt(quad.layer, settings.layers), wide = std::sqrt(std::max(0.0f, 1 - at * at));
        const bool aside = quad.stack == 1;
        put(v[0], begin, aside ? at : -wide, aside ? -wide : at, depth);
        put(v[1], end, aside ? at : -wide, aside ? -wide : at, depth);
        put(v[2], end, aside ? at : wide, aside ? wide : at, depth);
        put(v[3], begin, aside ? at : wide, aside ? wide : at, depth);
    }
};

void YarnQuads::set(const Curves& curves, const QuadSettings& settings) {
    const uint64_t made = hashOf(curves, settings);
    if (made == made_) return;
    made_ = made;
    sorted_ = false;
    settings_ = settings;
    samples_ = sampleYarns(curves, settings.gap, settings.shape);
    turns_.clear();
    for (const YarnSample& s : samples_) turns_.push_back({std::cos(s.twist), std::sin(s.twist)});
    // Runs of quads along begin with each run of yarn; the last of them may be shorter.
    const int samples = static_cast<int>(samples_.size());
    quads_.resize(samples * ((settings.across ? 1 : 0) + (settings.lengthwise ? 2 * settings.layers : 0)));
    int count = 0, begin = 0;
    for (int i = 0; i < samples; ++i) {
        if (samples_[size_t(i)].run != samples_[size_t(begin)].run) begin = i;
        if (settings.across) quads_[count++] = {i, 0, 0, 0};
        if (!settings.lengthwise || (i - begin) % settings.stride != 0) continue;
        short span = 0;
        while (span < settings.stride && i + span + 1 < samples &&
               samples_[size_t(i + span + 1)].run == samples_[size_t(i)].run)
            ++span;
        for (char stack = 1; span > 0 && stack <= 2; ++stack)
            for (int layer = 0; layer < settings.layers; ++layer)
                quads_[count++] = {i, span, stack, static_cast<char>(layer)};
    }
    quads_.resize(count);
}

void YarnQuads::sortFrom(Vec3 eye, const Sort& sort) {
    if (sorted_ && eye == eye_) return;
    eye_ = eye;
    sorted_ = true;
    ++sorts_;
    keys_.resize(quads_.size());
    order_.resize(quads_.size());
    for (int i = 0; i < order_.size(); ++i) order_[i] = i;
    forEach(Device::cpu(), "depths of quads", quads_.size(), QuadDepth{*this, eye, keys_.begin()}, 4096);
    if (sort)
        sort(keys_, order_);
    else
        sortByKey(keys_, order_, 32);
}

void YarnQuads::expand(int first, int count, QuadVertex* vertices) const {
    forEach(Device::cpu(), "corners of quads", count, ExpandQuad{*this, first, vertices}, 4096);
}

size_t YarnQuads::bytes() const {
    return samples_.size() * (sizeof(YarnSample) + sizeof(Turn)) +
           size_t(quads_.size()) * (sizeof(Quad) + sizeof(int) + sizeof(uint64_t));
}

}  // namespace purl
