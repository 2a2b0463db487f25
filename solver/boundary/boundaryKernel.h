// BoundaryKernel: the fluid's smoothing kernel, tabulated for boundary handling: its value and logarithmic derivative
// over distance, and its integral over a half-space as a function of the distance from the plane.
#pragma once
#include <functional>

#include "solver/core/vec.h"

namespace purl {

// A boundary neighbour of a fluid particle: adds ρ₀ V W to its density and ρ₀ V ∇W to its density gradient.
struct alignas(16) BoundarySample {
    Vec3 x;            // m
    float volume = 0;  // m³ at the fluid's rest density
};

struct BoundaryKernel {
    static constexpr int kSteps = 128, kHints = 256;

    int dimensions = 3;                // in 2D, planes are lines and volumes are areas
    float radius = 0;                  // m, support radius; W = 0 from there on
    float value[kSteps + 1] = {};      // W, 1/m³
    float steep[kSteps + 1] = {};      // −W′/W, 1/m, ascending
    unsigned char hints[kHints] = {};  // where to start searching `steep`
    float layer[kSteps + 1] = {};      // λ: integral of W over a plane, 1/m
    float share[kSteps + 1] = {};      // φ: integral of W over the half-space behind that plane; 1/2 at 0

    BoundaryKernel() = default;
    // W(r) in 1/m³ for 0 ≤ r ≤ radius.
    BoundaryKernel(float radius, const std::function<double(double)>& W, int dimensions = 3);
    // Monaghan's cubic spline, zero from `radius` on.
    static BoundaryKernel cubicSpline(float radius, int dimensions = 3);

    PURL_HD float at(const float* table, float r) const {
        const float q = r / radius * kSteps;
        if (!(q < kSteps)) return table[kSteps];
        const int k = static_cast<int>(q);
        return lerp(table[k], table[k + 1], q - static_cast<float>(k));
    }
    PURL_HD float operator()(float r) const { return r < radius ? at(value, r) : 0; }
    // λ(d) = 2π ∫_d^h W r dr, in 2D 2 ∫ W(√(d² + t²)) dt; φ(d) = ∫_d^∞ λ.
    // The kernel is normalized, therefore φ(−d) = 1 − φ(d).
    PURL_HD float layerAt(float d) const { return at(layer, std::fabs(d)); }
    PURL_HD float shareAt(float d) const { return d < 0 ? 1 - at(share, -d) : at(share, d); }

    // Maps a steepness from [0, ∞) to an index into `hints`.
    PURL_HD int hintOf(float s) const { return static_cast<int>(static_cast<float>(kHints) * (s / (s + 4 / radius))); }
    // The r with −W′(r)/W(r) = s.
    PURL_HD float distanceOfSteepness(float s) const {
        if (s <= steep[0]) return 0;
        constexpr int kLast = kSteps - 1;  // at kSteps W is 0 and the steepness infinite
        if (s >= steep[kLast]) return static_cast<float>(kLast) * radius / kSteps;
        int low = hints[hintOf(s)];
        while (steep[low + 1] <= s) ++low;
        const int high = low + 1;
        const float rise = steep[high] - steep[low];
        const float part = rise > 0 ? (s - steep[low]) / rise : 0;
        return (static_cast<float>(low) + part) * radius / kSteps;
    }

    bool operator==(const BoundaryKernel& other) const;
};

constexpr float kMinShare = 1e-4f;  // φ below the accuracy of volume maps counts as 0

// The single sample that contributes to a particle at x what a whole solid does: V W(r) = φ and V ∇W(r) = ∇φ. It
// follows that r is the distance at which −W′/W = |∇φ|/φ. The sample always lies towards the solid, and V is bounded
// even for particles inside the solid.
PURL_HD inline BoundarySample standIn(const BoundaryKernel& W, Vec3 x, float share, Vec3 gradient) {
    const float slope = length(gradient);
    if (!(share > kMinShare)) return {x, 0};
    if (!(slope > 0)) return {x, share / W(0)};
    const float r = W.distanceOfSteepness(slope / share);
    return {x + (r / slope) * gradient, share / W(r)};
}

}  // namespace purl
