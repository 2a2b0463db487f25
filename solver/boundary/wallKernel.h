// WallKernel: the fluid's smoothing kernel as walls need it, in tables made once: its value and steepness at a distance
// between points, and what a half-space of fluid adds at a distance from its face. Knows no geometry.
#pragma once
#include <functional>

#include "solver/core/vec.h"

namespace purl {

// A wall's neighbour of a fluid particle: it adds ρ₀ V W to the density and ρ₀ V ∇W to the pressure force's sum.
struct alignas(16) BoundaryPoint {
    Vec3 x;            // m
    float volume = 0;  // m³ at the fluid's rest density
};

struct WallKernel {
    static constexpr int kSteps = 128, kHints = 256;

    int dimensions = 3;                // 2: planes are lines, volumes areas
    float radius = 0;                  // m, of the support; from there on W = 0
    float value[kSteps + 1] = {};      // W, 1/m³
    float steep[kSteps + 1] = {};      // −W′/W, 1/m, rising
    unsigned char hints[kHints] = {};  // a step of `steep` that is no farther than any of so much
    float layer[kSteps + 1] = {};      // of a plane of fluid, 1/m
    float share[kSteps + 1] = {};      // of the half-space behind that plane: 1/2 at 0

    WallKernel() = default;
    // W(r) in 1/m³ for 0 ≤ r ≤ radius.
    WallKernel(float radius, const std::function<double(double)>& W, int dimensions = 3);
    // Monaghan's cubic spline, zero from `radius` on.
    static WallKernel cubicSpline(float radius, int dimensions = 3);

    PURL_HD float at(const float* table, float r) const {
        const float q = r / radius * kSteps;
        if (!(q < kSteps)) return table[kSteps];
        const int k = static_cast<int>(q);
        return lerp(table[k], table[k + 1], q - static_cast<float>(k));
    }
    PURL_HD float operator()(float r) const { return r < radius ? at(value, r) : 0; }
    // λ(d) = 2π ∫_d^h W r dr, in two dimensions 2 ∫ W(√(d² + t²)) dt; φ(d) = ∫_d^∞ λ; the kernel's total is 1, so φ(−d)
    // = 1 − φ(d).
    PURL_HD float layerAt(float d) const { return at(layer, std::fabs(d)); }
    PURL_HD float shareAt(float d) const { return d < 0 ? 1 - at(share, -d) : at(share, d); }

    // Steepness runs from 0 to without end; of this, even steps.
    PURL_HD int hintOf(float s) const { return static_cast<int>(static_cast<float>(kHints) * (s / (s + 4 / radius))); }
    // The r with −W′(r)/W(r) = s.
    PURL_HD float distanceOfSteepness(float s) const {
        if (s <= steep[0]) return 0;
        constexpr int kLast = kSteps - 1;  // W is 0 at kSteps, its steepness endless
        if (s >= steep[kLast]) return static_cast<float>(kLast) * radius / kSteps;
        int low = hints[hintOf(s)];
        while (steep[low + 1] <= s) ++low;
        const int high = low + 1;
        const float rise = steep[high] - steep[low];
        const float part = rise > 0 ? (s - steep[low]) / rise : 0;
        return (static_cast<float>(low) + part) * radius / kSteps;
    }

    bool operator==(const WallKernel& other) const;
};

constexpr float kLeastShare = 1e-4f;  // of the rest density; maps are no better

// The one point that adds to x what a whole wall adds: V W(r) = φ and V ∇W(r) = ∇φ, so that r is where the kernel is as
// steep for its height as φ is. It always lies on the wall's side, and V is bounded even for points in the wall.
PURL_HD inline BoundaryPoint standIn(const WallKernel& W, Vec3 x, float share, Vec3 gradient) {
    const float slope = length(gradient);
    if (!(share > kLeastShare)) return {x, 0};
    if (!(slope > 0)) return {x, share / W(0)};
    const float r = W.distanceOfSteepness(slope / share);
    return {x + (r / slope) * gradient, share / W(r)};
}

}  // namespace purl
