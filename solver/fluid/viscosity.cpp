#include "solver/fluid/viscosity.h"

#include <cmath>

#include "solver/core/forEach.h"
#include "solver/core/traffic.h"
#include "solver/fluid/boundaryViscosity.h"
#include "solver/fluid/pressure/pressureLanes.h"

namespace purl {
namespace {

struct Friction {
    Neighbors::View neighbors;
    BoundaryViscosity boundary;
    CubicSpline W;
    Span<const FluidConstants> fluids;
    float dt;
    Span<const int> body;
    Span<const Vec3> v;
    Span<const float> density, volume;
    Span<Vec3> a;

    PURL_HD void operator()(int i) const {
        const FluidConstants& fluid = fluids[body[i]];
        if (fluid.viscosityModel == ViscosityModel::morris) a[i] += morris(i, fluid);
        if (fluid.viscosityModel == ViscosityModel::xsph) a[i] += blend(i, fluid);
    }

    // a = Σⱼ mⱼ (μᵢ + μⱼ)/(ρᵢ ρⱼ) (d·∇W)/(r² + ε h²) (vᵢ − vⱼ)   Morris et al. 1997, eq. 22
    PURL_HD Vec3 morris(int i, const FluidConstants& fluid) const {
        Vec3 sum;
        neighbors.forEach(i, [&](int j, Vec3, float r2) {
            const float both = fluid.viscosity + fluids[body[j]].viscosity;
            const float steepness = W.gradientFactor(std::sqrt(r2)) * r2 / (r2 + kViscositySoftening * W.h * W.h);
            sum += (both * volume[j] * steepness) * (v[i] - v[j]);
        });
        return finishMorris(i, fluid, sum);
    }
    PURL_HD Vec3 finishMorris(int i, const FluidConstants& fluid, Vec3 sum) const {
        boundary.forEach(i, neighbors.x[i],
                         [&](float weight, Vec3 u) { sum -= (2 * fluid.viscosity * weight) * (v[i] - u); });
        return sum / density[i];
    }

    // Δv = c Σⱼ mⱼ/ρ̄ Wᵢⱼ (vⱼ − vᵢ)   Monaghan 1989
    PURL_HD Vec3 blend(int i, const FluidConstants& fluid) const {
        Vec3 sum;
        neighbors.forEach(i, [&](int j, Vec3, float r2) {
            const FluidConstants& other = fluids[body[j]];
            sum += (2 * other.mass / (fluid.restDensity + other.restDensity) * W(std::sqrt(r2))) * (v[j] - v[i]);
        });
        return finishBlend(i, fluid, sum);
    }
    PURL_HD Vec3 finishBlend(int i, const FluidConstants& fluid, Vec3 sum) const {
        if (boundary.any)
            boundary.boundary.forEach(i, [&](Vec3 x, float wallVolume, Vec3 u, float friction) {
                sum += boundary.blendWeight(neighbors.x[i], x, wallVolume, friction) * (u - v[i]);
            });
        return blendRate(fluid, W, dt) * sum;
    }
};

#ifdef __AVX2__

// Friction for one fluid, eight neighbours at a time.
struct FrictionLanes {
    Friction plain;
    const Float4 *points, *flow;

    void operator()(int i) const {
        const FluidConstants& fluid = plain.fluids[0];
        plain.a[i] += fluid.viscosityModel == ViscosityModel::morris ? plain.finishMorris(i, fluid, morris(i, fluid))
                                                                     : plain.finishBlend(i, fluid, blend(i, fluid));
    }
    // Σ weight(r², V) (vᵢ − vⱼ) over the neighbours.
    template <class Weight>
    Vec3 sum(int i, const Weight& weight) const {
        const Vec3 xi = plain.neighbors.x[i], vi = plain.v[i];
        const int* const list = plain.neighbors.begin(i);
        LaneSum3 sum;
        for (int n = 0, count = plain.neighbors.count(i); n < count; n += Neighbors::kLanes) {
            const Lanes4 other = loadLanes(points, list + n);
            const __m256 r2 = LaneOffsets(xi, other).lengthSquared();
            const LaneOffsets slip(vi, loadLanes(flow, list + n));
            sum.add(weight(r2, other.w), slip.x, slip.y, slip.z);
        }
        return sum.total();
    }
    Vec3 morris(int i, const FluidConstants& fluid) const {
        const __m256 soft = _mm256_set1_ps(kViscositySoftening * plain.W.h * plain.W.h);
        const Vec3 total = sum(i, [&](__m256 r2, __m256 volume) {
            const __m256 steepness = _mm256_mul_ps(SplineLanes(plain.W, r2).gradientFactor(), r2);
            return _mm256_mul_ps(volume, _mm256_div_ps(steepness, _mm256_add_ps(r2, soft)));
        });
        return (2 * fluid.viscosity * plain.W.gradient) * total;
    }
    Vec3 blend(int i, const FluidConstants& fluid) const {
        const Vec3 total = sum(i, [&](__m256 r2, __m256) { return SplineLanes(plain.W, r2).value(); });
        return (-fluid.mass / fluid.restDensity * plain.W.value) * total;
    }
};

#endif

Friction frictionOf(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                    const Materials& materials, float dt, const Buffer<Vec3>& v, const Buffer<float>& volume) {
    return {neighbors.view(),
            BoundaryViscosity(boundary, materials),
            materials.spline,
            materials.fluids.span(),
            dt,
            particles.body.span(),
            v.span(),
            particles.density.span(),
            volume.span(),
            particles.a.span()};
}

}  // namespace

void addExplicitViscosityPlain(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                               const Materials& materials, float dt, const Buffer<Vec3>& v,
                               const Buffer<float>& volume) {
    if (!materials.frictionPass) return;
    forEach(volume.device(), "friction", particles.count(),
            frictionOf(particles, neighbors, boundary, materials, dt, v, volume));
}

void addExplicitViscosity(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                          const Materials& materials, float dt, const Buffer<Vec3>& v, const Buffer<float>& volume,
                          [[maybe_unused]] LaneMemory& memory) {
    if (!materials.frictionPass) return;
#ifdef __AVX2__
    if (materials.fluids.size() == 1 && volume.device().isCpu()) {
        packFlow(volume.device(), std::as_const(particles.x).span(), v.span(), volume.span(), memory);
        expectTraffic(4.0 * neighbors.listSize() + (8 + 32 + 24.0) * particles.count());
        return forEachOnCpu(volume.device(), "friction", particles.count(),
                            FrictionLanes{frictionOf(particles, neighbors, boundary, materials, dt, v, volume),
                                          memory.points.data(), memory.flow()});
    }
#endif
    addExplicitViscosityPlain(particles, neighbors, boundary, materials, dt, v, volume);
}

}  // namespace purl
