#include "render/lumislice.h"

#include <algorithm>
#include <cmath>

#include "solver/core/random.h"

namespace purl {
namespace {

struct Point {
    float x = 0, y = 0;
    bool stray = false;
};

// A stray fibre moves sideways along the yarn: its footprint is this much wider, and its coverage accordingly lower.
constexpr float kStrayWidth = 2;

float distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

constexpr float kPi = 3.14159265f;
constexpr float kCoreRadius = 0.86f;  // radius filled by the plies; beyond are stray fibres only

// Radius of n equal circles that touch each other inside a circle of radius R: R / (1 + 1/sin(π/n)).
float plyRadius(int plies) { return plies < 2 ? kCoreRadius : kCoreRadius / (1 + 1 / std::sin(kPi / float(plies))); }

Point plyCenter(int ply, int plies) {
    if (plies < 2) return {};
    const float angle = 2 * kPi * float(ply) / float(plies), out = kCoreRadius - plyRadius(plies);
    return {out * std::cos(angle), out * std::sin(angle)};
}

// Places fibres without overlap by dart throwing.
class FibrePlacer {
  public:
    explicit FibrePlacer(const SliceParams& params) : params_(params) {}

    // Adds one in the annulus [inner, outer] around `center`; false if no free place is found.
    bool add(Point center, float inner, float outer, bool stray) {
        constexpr int kMaxTries = 400;
        for (int i = 0; i < kMaxTries; ++i) {
            const float a = 2 * kPi * next();
            const float r = std::sqrt(inner * inner + (outer * outer - inner * inner) * next());
            const Point p{center.x + r * std::cos(a), center.y + r * std::sin(a), stray};
            const bool free =
                std::all_of(all.begin(), all.end(), [&](Point q) { return distance(p, q) >= 2 * params_.fibreRadius; });
            if (!free) continue;
            all.push_back(p);
            return true;
        }
        return false;
    }

    std::vector<Point> all;

  private:
    float next() { return randomUnit(params_.seed, count_++); }

    const SliceParams& params_;
    uint64_t count_ = 0;
};

// Ambient light decreases towards the middle of a ply and in the valleys between plies.
float ambientLight(Point p, int plies) {
    const float radius = plyRadius(plies);
    float nearest = 2;
    for (int k = 0; k < std::max(plies, 1); ++k) nearest = std::min(nearest, distance(p, plyCenter(k, plies)) / radius);
    const float outside = std::clamp(std::hypot(p.x, p.y), 0.0f, 1.0f);
    const float inPly = std::clamp(nearest, 0.0f, 1.0f);
    return (0.45f + 0.55f * inPly * inPly) * (0.35f + 0.65f * outside);
}

}  // namespace

Slice makeSlice(const SliceParams& params) {
    FibrePlacer fibres(params);
    const int plies = std::max(params.plies, 1);
    const float inside = plyRadius(plies) - params.fibreRadius;
    for (int i = 0; i < params.fibres; ++i) fibres.add(plyCenter(i % plies, plies), 0, inside, false);
    for (int i = 0; i < params.stray; ++i) fibres.add({}, kCoreRadius, 1 - kStrayWidth * params.fibreRadius, true);

    Slice slice;
    slice.size = params.size;
    slice.fibres = static_cast<int>(fibres.all.size());
    slice.rgba.assign(size_t(4) * size_t(params.size) * size_t(params.size), 0);
    const float texel = 2 / float(params.size);
    constexpr int kSubSamples = 4;  // sub-samples per texel side
    for (int y = 0; y < params.size; ++y)
        for (int x = 0; x < params.size; ++x) {
            const Point middle{(float(x) + 0.5f) * texel - 1, (float(y) + 0.5f) * texel - 1};
            float hits = 0;
            float shade = 1;  // random brightness per fibre
            for (size_t f = 0; f < fibres.all.size(); ++f) {
                const float wide = fibres.all[f].stray ? kStrayWidth : 1, radius = wide * params.fibreRadius;
                if (distance(middle, fibres.all[f]) > radius + texel) continue;
                for (int s = 0; s < kSubSamples * kSubSamples; ++s) {
                    const Point p{middle.x + texel * ((float(s % kSubSamples) + 0.5f) / kSubSamples - 0.5f),
                                  middle.y + texel * ((float(s / kSubSamples) + 0.5f) / kSubSamples - 0.5f)};
                    if (distance(p, fibres.all[f]) > radius) continue;
                    hits += 1 / (wide * wide);
                    shade = 0.86f + 0.28f * randomUnit(params.seed + 1, f);
                }
            }
            const float light = std::clamp(shade * ambientLight(middle, plies), 0.0f, 1.0f);
            uint8_t* rgba = &slice.rgba[size_t(4) * size_t(y * params.size + x)];
            for (int k = 0; k < 3; ++k) rgba[k] = static_cast<uint8_t>(std::lround(255 * light));
            rgba[3] = static_cast<uint8_t>(std::lround(255 * std::min(hits / (kSubSamples * kSubSamples), 1.0f)));
        }
    return slice;
}

}  // namespace purl
