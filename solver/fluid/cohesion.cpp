#include "solver/fluid/cohesion.h"

#include "solver/core/forEach.h"
#include "solver/fluid/pressure/pressureLanes.h"

namespace purl {
namespace {

#ifdef __AVX2__
// Cohesion for one fluid, eight neighbours at a time. Factors common to all pairs are applied after the sums.
struct CohesionLanes {
    const Cohesion& plain;
    const Float4 *points, *gradient;

    void operator()(int i) const {
        const FluidConstants& fluid = plain.fluids[0];
        const float h1 = fluid.spiky.h, h3 = h1 * h1 * h1;
        const __m256 zero = _mm256_setzero_ps(), h = _mm256_set1_ps(h1), h2 = _mm256_set1_ps(fluid.poly6.h2),
                     half = _mm256_set1_ps(0.5f * h1), nearRepulsion = _mm256_set1_ps(h3 * h3 / 64),
                     evening = _mm256_set1_ps(fluid.evening / fluid.cohesion),
                     smallest = _mm256_set1_ps(1e-30f);  // keeps 1/r finite; d is zero there
        const Vec3 xi{points[i].x, points[i].y, points[i].z}, ni{gradient[i].x, gradient[i].y, gradient[i].z};
        const __m256 surfaceI = _mm256_set1_ps(gradient[i].w);
        LaneSum3 sum;
        const int* const list = plain.neighbors.begin(i);
        for (int n = 0, count = plain.neighbors.count(i); n < count; n += Neighbors::kLanes) {
            const Lanes4 other = loadLanes(gradient, list + n);
            const LaneOffsets d(xi, loadLanes(points, list + n)), normalDifference(ni, other);
            const __m256 r2 = d.lengthSquared();
            const __m256 r = _mm256_sqrt_ps(_mm256_max_ps(r2, smallest));
            const __m256 q = _mm256_max_ps(_mm256_sub_ps(h, r), zero);
            const __m256 far = _mm256_mul_ps(_mm256_mul_ps(_mm256_mul_ps(q, q), q), r2);
            const __m256 near = _mm256_sub_ps(_mm256_add_ps(far, far), _mm256_div_ps(nearRepulsion, r));
            const __m256 cohesion = _mm256_blendv_ps(near, far, _mm256_cmp_ps(r, half, _CMP_GT_OQ));
            const __m256 inside = _mm256_max_ps(_mm256_sub_ps(h2, r2), zero);
            const __m256 along = _mm256_mul_ps(_mm256_mul_ps(evening, inside), normalDifference.dot(d));
            const __m256 surface = _mm256_add_ps(other.w, surfaceI);
            sum.add(_mm256_fmadd_ps(cohesion, surface, along), d.x, d.y, d.z);
        }
        plain.a[i] -= (fluid.cohesion * fluid.mass * square(fluid.inverseRestDensity)) * sum.total();
    }
};
#endif

}  // namespace

// σ = π/8 ∫ r⁴ F(r) dr is the work to split a fluid along a plane, per area, if evenly distributed particles attract
// each other by F in units of their density (Fowler 1937): 0.002983 A h² for the spline A C(r). The two constants are
// measured: kEvening is the largest value at which drops of 6 to 10 spacings' radius shed no particles, and at
// kMeasured they oscillate at Rayleigh's frequency and have Laplace's pressure; see the nightly test.
CohesionStrength cohesionStrength(double surfaceTension, double h) {
    constexpr double kMeasured = 0.5, kEvening = 0.1;
    const double strength = kMeasured * surfaceTension / (0.002983 * h * h), h3 = h * h * h;
    return {0.5 * h * h * 32 / (kPi * h3 * h3 * h3) * strength, kEvening / (h3 * h3) * strength};
}

void applyCohesion(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                   const LaneMemory& memory, [[maybe_unused]] bool tuned) {
    const Device& device = particles.x.device();
    const Cohesion plain{neighbors.view(), materials.fluids.span(), particles.body.span(), memory.gradient.span(),
                         particles.a.span()};
#ifdef __AVX2__
    if (tuned && materials.fluids.size() == 1 && device.isCpu())
        return forEachOnCpu(device, "cohesion", particles.count(),
                            CohesionLanes{plain, memory.points.data(), memory.gradient.data()});
#endif
    forEach(device, "cohesion", particles.count(), plain);
}

}  // namespace purl
