#include "solver/fluid/boundaryPressure.h"

#include "solver/colliders/contacts.h"
#include "solver/core/forEach.h"
#include "solver/core/math.h"
#include "solver/fluid/boundaryViscosity.h"
#include "solver/fluid/density.h"

namespace purl {
namespace {

// ρ += ρ₀ Σ V W   Akinci et al. 2012, eq. 6
struct WallDensity {
    Boundary::View boundary;
    CubicSpline W;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    Span<const Vec3> x;
    Span<float> density, pressure, volume;

    PURL_HD void operator()(int i) const {
        if (boundary.count(i) == 0) return;
        const FluidConstants& fluid = fluids[body[i]];
        float sum = 0;
        boundary.forEach(i, [&](Vec3 at, float v, Vec3, float) { sum += v * W(length(x[i] - at)); });
        density[i] += fluid.restDensity * sum;
        pressure[i] = pressureAt(density[i], fluid);
        volume[i] = fluid.mass / density[i];
    }
};

// a −= c p/ρ² ρ₀ Σ V ∇W: for c = 1 the gradient of the density above, because W is steep enough to represent a boundary
// with the fluid's pressure. Repels only: negative pressure is ignored.
struct WallPressure {
    Boundary::View boundary;
    CubicSpline W;
    float scale;  // c
    Span<const int> body;
    Span<const FluidConstants> fluids;
    Span<const Vec3> x;
    Span<const float> density, pressure;
    Span<Vec3> a;

    PURL_HD void operator()(int i) const {
        if (boundary.count(i) == 0 || pressure[i] <= 0) return;
        const FluidConstants& fluid = fluids[body[i]];
        Vec3 sum;
        boundary.forEach(i, [&](Vec3 at, float v, Vec3, float) {
            const Vec3 d = x[i] - at;
            sum += (v * W.gradientFactor(length(d))) * d;
        });
        a[i] -= (scale * fluid.restDensity * pressure[i] / square(density[i])) * sum;
    }
};

struct WallFriction {
    Boundary::View boundary;
    Span<const FluidConstants> fluids;
    Span<const int> body;
    Span<const Vec3> x;
    CubicSpline W;
    float fullWeight;  // Σ V W at which friction acts at full strength
    float dt;
    Span<Vec3> v;

    PURL_HD void operator()(int i) const {
        if (boundary.count(i) == 0 || hasBoundaryViscosity(fluids[body[i]])) return;
        float weightSum = 0, friction = 0;
        Vec3 inward, motion;
        boundary.forEach(i, [&](Vec3 at, float volume, Vec3 u, float coefficient) {
            const Vec3 d = x[i] - at;
            const float r = length(d), weight = volume * W(r);
            weightSum += weight;
            friction += weight * coefficient;
            motion += weight * u;
            inward += (volume * W.gradientFactor(r)) * d;
        });
        if (!(friction > 0) || !(weightSum > 0)) return;
        friction /= weightSum;
        const Vec3 normal = normalized(inward), relative = v[i] - motion / weightSum;
        const Vec3 sliding = relative - dot(relative, normal) * normal;
        const float strength = weightSum < fullWeight ? weightSum / fullWeight : 1;
        const float kept = friction >= 1 ? 1 - strength : pow(1 - friction, strength * dt / kFrictionTime);
        v[i] -= (1 - kept) * sliding;
    }
};

}  // namespace

void addBoundaryDensity(Particles& particles, const Boundary& boundary, const Materials& materials,
                        Buffer<float>& volume) {
    if (boundary.empty()) return;
    forEach(volume.device(), "wallDensity", particles.count(),
            WallDensity{boundary.view(), materials.wallSpline, particles.body.span(), materials.fluids.span(),
                        particles.x.span(), particles.density.span(), particles.pressure.span(), volume.span()});
}

void addBoundaryPressure(Particles& particles, const Boundary& boundary, const Materials& materials) {
    if (boundary.empty()) return;
    forEach(particles.x.device(), "wallPressure", particles.count(),
            WallPressure{boundary.view(), materials.wallSpline, materials.wallPush, particles.body.span(),
                         materials.fluids.span(), particles.x.span(), particles.density.span(),
                         particles.pressure.span(), particles.a.span()});
}

void applyBoundaryFriction(Particles& particles, const Boundary& boundary, const Materials& materials, float dt,
                           Buffer<Vec3>& v) {
    if (boundary.empty()) return;
    // Half of the lattice sum, because fluid at rest may be slightly more than half a spacing away.
    const auto fullWeight = static_cast<float>(0.5 * shareOfLayers(materials.wallSpline, materials.spacing));
    forEach(v.device(), "wallFriction", particles.count(),
            WallFriction{boundary.view(), materials.fluids.span(), particles.body.span(), particles.x.span(),
                         materials.wallSpline, fullWeight, dt, v.span()});
}

}  // namespace purl
