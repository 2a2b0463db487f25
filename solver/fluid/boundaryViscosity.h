// How viscosity sees walls: fluids hold on to them as to fluid that moves as they do, and pull at those that are free.
#pragma once
#include <cmath>

#include "solver/boundary/boundary.h"
#include "solver/fluid/material.h"

namespace purl {

// Times the support radius squared, keeps 1/r² finite: 0.01 h² of Morris 1997, whose kernel reaches to 2 h.
constexpr float kViscositySoftening = 0.0025f;

// Whether a fluid's viscosity sees walls at all; what does not is rubbed by their friction alone.
PURL_HD inline bool rubsOffWalls(const FluidConstants& fluid) {
    return fluid.viscosity > 0 &&
           (fluid.viscosityModel == ViscosityModel::morris || fluid.viscosityModel == ViscosityModel::xsph ||
            fluid.viscosityModel == ViscosityModel::implicit);
}

// What walls look like to viscosity: the fluid's gradient there, without direction.
struct BoundaryViscosity {
    Boundary::View walls;
    bool any;
    CubicSpline W;
    float share;  // of W's gradient that is the fluid's own

    BoundaryViscosity(const Boundary* boundary, const Materials& materials)
        : walls(boundary && !boundary->empty() ? boundary->view() : Boundary::View{}),
          any(boundary && !boundary->empty()),
          W(materials.wallSpline),
          share(materials.wallShare) {}

    // Σ weight (v − u) over the points of walls that move with u is −½ ∇²v times a volume, by Morris's form. Twice, for
    // the wall's surface is half way to its points, and it is there that nothing slips. A wall is as rough as its
    // friction says.
    PURL_HD float weight(Vec3 xi, Vec3 x, float volume, float friction) const {
        const float r2 = lengthSquared(xi - x), softened = r2 / (r2 + kViscositySoftening * W.h * W.h);
        return -2 * share * friction * volume * W.gradientFactor(std::sqrt(r2)) * softened;
    }
    // The same of xsph: how much of the wall's velocity is blended in.
    PURL_HD float blendWeight(Vec3 xi, Vec3 x, float volume, float friction) const {
        return 2 * friction * volume * W(length(xi - x));
    }

    // visit(weight, u)
    template <class Visit>
    PURL_HD void forEach(int i, Vec3 xi, Visit&& visit) const {
        if (!any) return;
        walls.forEach(i,
                      [&](Vec3 x, float volume, Vec3 u, float friction) { visit(weight(xi, x, volume, friction), u); });
    }
};

}  // namespace purl
