// Free surface of a liquid by the colour field, which is 1 at particles and 0 elsewhere: a large gradient marks the
// surface, its Laplacian measures the curvature that tension reduces.
#pragma once
#include "solver/fluid/lanes.h"
#include "solver/fluid/material.h"

namespace purl {

// Sums over neighbours, without the kernel's constant factor.
template <class F>
struct ColorSums {
    VecOf<F> slope;  // Σ V (h² − r²)² d
    F bend{0.0f};    // Σ V (h² − r²)(3h² − 7r²)

    PURL_HD void add(const Poly6& w, const VecOf<F>& d, const F& r2, const F& volume) {
        const F weight = volume * w.inside(r2);
        slope = fma(weight * w.inside(r2), d, slope);
        bend = fma(weight, fnma(F(w.laplaceOutward), r2, F(w.laplaceFrom)), bend);
    }
};

struct ColorField {
    Vec3 gradient;        // 1/m, inward: n = Σ mⱼ/ρⱼ ∇W   Kelager 4.28
    float laplacian = 0;  // 1/m²: Σ mⱼ/ρⱼ ∇²W, i included

    ColorField() = default;
    // i itself contributes to the Laplacian but not to the gradient.
    PURL_HD ColorField(const Poly6& w, const ColorSums<float>& sums, float ownVolume)
        : gradient(w.gradient * vec3(sums.slope)), laplacian(ownVolume * w.laplacian(0.0f) + w.gradient * sums.bend) {}
    PURL_HD bool isSurface(float threshold) const {
        return lengthSquared(gradient) >= square(threshold) && length(gradient) > 0;
    }
    // n and |n|², packed for cohesion.
    PURL_HD Float4 packed() const { return {gradient.x, gradient.y, gradient.z, lengthSquared(gradient)}; }
    // N = −n / |n|   5.18
    PURL_HD Vec3 outward() const { return -gradient / length(gradient); }
    // f = σ κ n = −σ ∇²c n/|n|   4.32, for surface particles only
    PURL_HD Vec3 tension(float surfaceTension) const { return (surfaceTension * laplacian) * outward(); }
};

}  // namespace purl
