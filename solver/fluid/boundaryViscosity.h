// Boundaries in viscosity: fluid is sheared against them as against fluid that moves as they do.
#pragma once
#include <cmath>

#include "solver/boundary/boundary.h"
#include "solver/fluid/material.h"

namespace purl {

// Times the support radius squared, keeps 1/r² finite: 0.01 h² of Morris 1997 with a kernel that reaches to 2 h.
constexpr float kViscositySoftening = 0.0025f;

// Whether a fluid has boundaries in its viscosity; on all others boundary friction acts instead.
PURL_HD inline bool hasBoundaryViscosity(const FluidConstants& fluid) {
    return fluid.viscosity > 0 &&
           (fluid.viscosityModel == ViscosityModel::morris || fluid.viscosityModel == ViscosityModel::xsph ||
            fluid.viscosityModel == ViscosityModel::implicit);
}

// Weights of boundary samples: the magnitude of the fluid's gradient there.
struct BoundaryViscosity {
    Boundary::View boundary;
    bool any;
    CubicSpline W;
    float share;  // of W's gradient that is the fluid's own

    BoundaryViscosity(const Boundary* from, const Materials& materials)
        : boundary(from && !from->empty() ? from->view() : Boundary::View{}),
          any(from && !from->empty()),
          W(materials.wallSpline),
          share(materials.wallShare) {}

    // Σ weight (v − u) over samples that move with u is −½ ∇²v times a volume, by Morris's form. Twice, because the
    // surface is half way to the samples, and the no-slip condition holds there. Scaled by the collider's friction.
    PURL_HD float weight(Vec3 xi, Vec3 x, float volume, float friction) const {
        const float r2 = lengthSquared(xi - x), softened = r2 / (r2 + kViscositySoftening * W.h * W.h);
        return -2 * share * friction * volume * W.gradientFactor(std::sqrt(r2)) * softened;
    }
    // The same for xsph: how much of the boundary's velocity is blended in.
    PURL_HD float blendWeight(Vec3 xi, Vec3 x, float volume, float friction) const {
        return 2 * friction * volume * W(length(xi - x));
    }

    // visit(weight, u)
    template <class Visit>
    PURL_HD void forEach(int i, Vec3 xi, Visit&& visit) const {
        if (!any) return;
        boundary.forEach(
            i, [&](Vec3 x, float volume, Vec3 u, float friction) { visit(weight(xi, x, volume, friction), u); });
    }
};

}  // namespace purl
