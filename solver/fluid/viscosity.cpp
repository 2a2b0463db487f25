#include "solver/fluid/viscosity.h"

#include <cmath>

#include "solver/core/traffic.h"
#include "solver/fluid/boundaryViscosity.h"

namespace purl {
namespace {

// What neighbours bring along: V and μ for morris, m and ρ₀ for xsph. The last index is the padding element's.
struct PackFriction {
    Span<const Vec3> x, v;
    Span<const float> volume;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    bool morris;
    Float4 *points, *flow;
    PURL_HD void operator()(int i) const {
        if (i == x.count) {
            points[i] = kNobody4;
            flow[i] = {0, 0, 0, 0};
            return;
        }
        const FluidConstants& fluid = fluids[body[i]];
        points[i] = {x[i].x, x[i].y, x[i].z, morris ? volume[i] : fluid.mass};
        flow[i] = {v[i].x, v[i].y, v[i].z, morris ? fluid.viscosity : fluid.restDensity};
    }
};

// Σ wᵢⱼ (vⱼ − vᵢ) over the neighbours of particles whose fluid has the model.
struct FrictionSweep {
    BoundaryViscosity boundary;
    CubicSpline W;
    Span<const FluidConstants> fluids;
    float dt;
    Span<const int> body;
    const Float4 *points, *flow;
    Span<const float> density;
    Span<Vec3> a;

    template <class F>
    struct Own {
        VecOf<F> x, v;
        F number;  // flow's w
    };
    template <class F>
    struct Sums {
        VecOf<F> slip;
    };
    template <class F>
    PURL_HD Own<F> own(int i) const {
        return {broadcast<F>(Vec3(points[i])), broadcast<F>(Vec3(flow[i])), F(flow[i].w)};
    }
    PURL_HD bool has(int i, ViscosityModel model) const { return fluids[body[i]].viscosityModel == model; }
};

// a = Σⱼ mⱼ (μᵢ + μⱼ)/(ρᵢ ρⱼ) (d·∇W)/(r² + ε h²) (vᵢ − vⱼ)   Morris et al. 1997, eq. 22
struct MorrisSweep : FrictionSweep {
    PURL_HD bool includes(int i) const { return has(i, ViscosityModel::morris); }
    template <class F>
    PURL_HD void pair(const Own<F>& own, const Neighbor<F>& j, Sums<F>& sums) const {
        const Row<F> other = j.row(points), otherFlow = j.row(flow);
        const VecOf<F> d = own.x - other.xyz();
        const F r2 = dot(d, d), steepness = W.slope(sqrt(r2)) * r2 / (r2 + F(kViscositySoftening * W.h * W.h));
        sums.slip = fma((own.number + otherFlow.w) * other.w * steepness, own.v - otherFlow.xyz(), sums.slip);
    }
    PURL_HD void finish(int i, const Sums<float>& sums) const {
        const FluidConstants& fluid = fluids[body[i]];
        Vec3 sum = W.gradient * vec3(sums.slip);
        boundary.forEach(i, Vec3(points[i]),
                         [&](float weight, Vec3 u) { sum -= (2 * fluid.viscosity * weight) * (Vec3(flow[i]) - u); });
        a[i] += sum / density[i];
    }
};

// Δv = c Σⱼ mⱼ/ρ̄ Wᵢⱼ (vⱼ − vᵢ)   Monaghan 1989
struct BlendSweep : FrictionSweep {
    PURL_HD bool includes(int i) const { return has(i, ViscosityModel::xsph); }
    template <class F>
    PURL_HD void pair(const Own<F>& own, const Neighbor<F>& j, Sums<F>& sums) const {
        const Row<F> other = j.row(points), otherFlow = j.row(flow);
        const VecOf<F> d = own.x - other.xyz();
        const F weight = other.w * W.shape(sqrt(dot(d, d))) / (own.number + otherFlow.w);
        sums.slip = fma(weight, otherFlow.xyz() - own.v, sums.slip);
    }
    PURL_HD void finish(int i, const Sums<float>& sums) const {
        Vec3 sum = (2 * W.value) * vec3(sums.slip);
        const Vec3 x = Vec3(points[i]), v = Vec3(flow[i]);
        if (boundary.any)
            boundary.boundary.forEach(i, [&](Vec3 at, float wallVolume, Vec3 u, float friction) {
                sum += boundary.blendWeight(x, at, wallVolume, friction) * (u - v);
            });
        a[i] += blendRate(fluids[body[i]], W, dt) * sum;
    }
};

}  // namespace

void addExplicitViscosity(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                          const Materials& materials, float dt, const Buffer<Vec3>& v, const Buffer<float>& volume,
                          LaneMemory& memory) {
    if (!materials.frictionPass) return;
    const Device& device = volume.device();
    const int count = particles.count();
    memory.resizeDiscard(count);
    for (const ViscosityModel model : {ViscosityModel::morris, ViscosityModel::xsph}) {
        bool used = false;
        for (const FluidConstants& fluid : materials.fluids.onHost()) used = used || fluid.viscosityModel == model;
        if (!used) continue;
        const bool morris = model == ViscosityModel::morris;
        forEach(device, "packFriction", count + 1,
                PackFriction{std::as_const(particles.x).span(), v.span(), volume.span(),
                             std::as_const(particles.body).span(), materials.fluids.span(), morris,
                             memory.points.data(), memory.flow()},
                2048);
        const FrictionSweep common{BoundaryViscosity(boundary, materials),
                                   materials.spline,
                                   materials.fluids.span(),
                                   dt,
                                   particles.body.span(),
                                   memory.points.data(),
                                   memory.flow(),
                                   particles.density.span(),
                                   particles.a.span()};
        expectTraffic(4.0 * neighbors.listSize() + (8 + 32 + 24.0) * count);
        if (morris)
            sweep(device, "morris", count, neighbors.view(), MorrisSweep{common});
        else
            sweep(device, "xsph", count, neighbors.view(), BlendSweep{common});
    }
}

}  // namespace purl
