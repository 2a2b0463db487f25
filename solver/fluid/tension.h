// Free surface of a liquid by the colour field, which is 1 at particles and 0 elsewhere: a large gradient marks the
// surface, its Laplacian measures the curvature that tension reduces.
#pragma once
#include "solver/fluid/lanes.h"
#include "solver/fluid/material.h"

namespace purl {

struct ColorField {
    Vec3 gradient;        // 1/m, inward: n = Σ mⱼ/ρⱼ ∇W   Kelager 4.28
    float laplacian = 0;  // 1/m²: Σ mⱼ/ρⱼ ∇²W, i included

    // Adds i itself, which contributes to the Laplacian but not to the gradient.
    PURL_HD void addSelf(const Poly6& w, float volume) { laplacian += volume * w.laplacian(0); }
    PURL_HD void add(const Poly6& w, Vec3 d, float r2, float volume) {
        gradient += (volume * w.gradientFactor(r2)) * d;
        laplacian += volume * w.laplacian(r2);
    }
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
