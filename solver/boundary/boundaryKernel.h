// BoundaryKernel: the fluid's smoothing kernel for boundaries, tabulated once: its value and steepness over the
// distance of two points, and what a half-space of fluid adds over the distance from its face. Knows no geometry.
#pragma once
#include <functional>

#include "solver/core/vec.h"

namespace purl {

// A boundary neighbour of a fluid particle: it adds ρ₀ V W to the density and ρ₀ V ∇W to the pressure force's sum.
struct alignas(16) BoundarySample {
    Vec3 x;            // m
    float volume = 0;  // m³ at the fluid's rest density
};

struct BoundaryKernel {
    static constexpr int kSteps = 128, kHints = 256;

    int dimensions = 3;                // 2: planes are lines, volumes areas
    float radius = 0;                  // m, of the support; from there on W = 0
    float value[kSteps + 1] = {};      // W, 1/m³
    float steep[kSteps + 1] = {};      // −W′/W, 1/m, rising
    unsigned char hints[kHints] = {};  // an entry of `steep` to start a search from
    float layer[kSteps + 1] = {};      // of a plane of fluid, 1/m
    float share[kSteps + 1] = {};      // of the half-space behind that plane: 1/2 at 0

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
    // λ(d) = 2π ∫_d^h W r dr, in two dimensions 2 ∫ W(√(d² + t²)) dt; φ(d) = ∫_d^∞ λ; the kernel's total is 1, so φ(−d)
    // = 1 − φ(d).
    PURL_HD float layerAt(float d) const { return at(layer, std::fabs(d)); }
    PURL_HD float shareAt(float d) const { return d < 0 ? 1 - at(share, -d) : at(share, d); }

    // Maps steepness, 0 to infinity, to evenly spaced hints.
    PURL_HD int hintOf(float s) const { return static_cast<int>(static_cast<float>(kHints) * (s / (s + 4 / radius))); }
    // The r with −W′(r)/W(r) = s.
    PURL_HD float distanceOfSteepness(float s) const {
        if (s <= steep[0]) return 0;
        constexpr int kLast = kSteps - 1;  // W is 0 at kSteps, its steepness infinite
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

constexpr float kMinShare = 1e-4f;  // of the rest density; maps are no more accurate

// The one sample that adds to x what a whole solid adds: V W(r) = φ and V ∇W(r) = ∇φ, so that r is where the kernel's
// relative steepness is that of φ. It always lies on the solid's side, and V is bounded even for points in the solid.
PURL_HD inline BoundarySample standIn(const BoundaryKernel& W, Vec3 x, float share, Vec3 gradient) {
    const float slope = length(gradient);
    if (!(share > kMinShare)) return {x, 0};
    if (!(slope > 0)) return {x, share / W(0)};
    const float r = W.distanceOfSteepness(slope / share);
    return {x + (r / slope) * gradient, share / W(r)};
}

}  // namespace purl
