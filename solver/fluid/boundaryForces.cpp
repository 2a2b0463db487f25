#include "solver/fluid/boundaryForces.h"

#include "solver/core/forEach.h"

namespace purl {
namespace {

struct AdhereToWalls {
    Boundary::View boundary;
    CubicSpline W;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    Span<const Vec3> x;
    Span<const float> density, pressure;
    float strength;
    Span<Vec3> a;

    PURL_HD void operator()(int i) const {
        if (boundary.count(i) == 0 || pressure[i] <= 0) return;
        const FluidConstants& fluid = fluids[body[i]];
        Vec3 sum;
        boundary.forEach(i, [&](Vec3 at, float volume, Vec3, float) {
            const Vec3 d = x[i] - at;
            sum += (volume * W.gradientFactor(length(d))) * d;
        });
        a[i] += (strength * fluid.restDensity * pressure[i] / square(density[i])) * sum;
    }
};

}  // namespace

void addBoundaryAdhesion(Particles& particles, const Boundary& boundary, const Materials& materials, float strength) {
    if (boundary.empty()) return;
    forEach(particles.x.device(), "adhereToWalls", particles.count(),
            AdhereToWalls{boundary.view(), materials.wallSpline, particles.body.span(), materials.fluids.span(),
                          particles.x.span(), particles.density.span(), particles.pressure.span(),
                          strength * materials.wallPush, particles.a.span()});
}

}  // namespace purl
