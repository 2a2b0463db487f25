// Boundary viscosity: shear between the fluid and boundary samples, which move with their collider's velocity.
#pragma once
#include <cmath>

#include "solver/boundary/boundary.h"
#include "solver/fluid/material.h"

namespace purl {

// Softening of 1/r², as a fraction of h². Equals the 0.01 h² of Morris 1997, who writes h for half the support radius.
constexpr float kViscositySoftening = 0.0025f;

// Whether boundaries act on the fluid by viscosity. Other fluids have boundary friction instead.
PURL_HD inline bool hasBoundaryViscosity(const FluidConstants& fluid) {
    return fluid.viscosity > 0 &&
           (fluid.viscosityModel == ViscosityModel::morris || fluid.viscosityModel == ViscosityModel::xsph ||
            fluid.viscosityModel == ViscosityModel::implicit);
}

// Viscosity weights of boundary samples, with the wall spline's gradient scaled back to the fluid kernel's.
struct BoundaryViscosity {
    Boundary::View boundary;
    bool any;
    CubicSpline W;
    float share;  // ratio of the fluid kernel's gradient to W's

    BoundaryViscosity(const Boundary* from, const Materials& materials)
        : boundary(from && !from->empty() ? from->view() : Boundary::View{}),
          any(from && !from->empty()),
          W(materials.wallSpline),
          share(materials.wallShare) {}

    // Σ weight (v − u) over samples with velocity u approximates −½ ∇²v (Morris's form). The factor 2 moves the no-slip
    // condition to the surface, which is halfway to the samples. Scaled by the collider's friction.
    PURL_HD float weight(Vec3 xi, Vec3 x, float volume, float friction) const {
        const float r2 = lengthSquared(xi - x), softened = r2 / (r2 + kViscositySoftening * W.h * W.h);
        return -2 * share * friction * volume * W.gradientFactor(std::sqrt(r2)) * softened;
    }
    // Weight of a sample in the velocity blend of the xsph model.
    PURL_HD float blendWeight(Vec3 xi, Vec3 x, float volume, float friction) const {
        return 2 * friction * volume * W(length(xi - x));
    }

    // Calls visit(weight, u) for each boundary sample near particle i.
    template <class Visit>
    PURL_HD void forEach(int i, Vec3 xi, Visit&& visit) const {
        if (!any) return;
        boundary.forEach(
            i, [&, this](Vec3 x, float volume, Vec3 u, float friction) { visit(weight(xi, x, volume, friction), u); });
    }
};

}  // namespace purl
