#include "solver/fluid/forces.h"

#include "solver/core/forEach.h"
#include "solver/core/traffic.h"
#include "solver/reference/curvature.h"

namespace purl {
namespace {

constexpr int kChunk = 256;

#ifdef __AVX2__
// A particle's term of the pressure force: p/ρ² or p, depending on the form.
float pressureTermOf(PressureForm form, float pressure, float inverseDensity) {
    return form == PressureForm::symmetric ? pressure * square(inverseDensity) : pressure;
}

// Forces::operator() for one fluid, eight neighbours at a time. Factors common to all pairs are applied after the sums.
template <PressureForm kForm, bool kHasSurface>
void sumForces(const Forces& plain, const LaneMemory& memory, int begin, int end) {
    const FluidConstants fluid = plain.fluids[0];
    const Float4* const points = memory.points.data();
    const Float4* const flow = memory.flow();
    const __m256 h = _mm256_set1_ps(fluid.spiky.h), h2 = _mm256_set1_ps(fluid.poly6.h2), zero = _mm256_setzero_ps();
    const __m256 from = _mm256_set1_ps(fluid.poly6.laplaceFrom), outward = _mm256_set1_ps(fluid.poly6.laplaceOutward);
    const __m256 smallest = _mm256_set1_ps(1e-30f);  // keeps 1/r finite; d is zero there

    for (int i = begin; i < end; ++i) {
        const __m256 xi = _mm256_set1_ps(points[i].x), yi = _mm256_set1_ps(points[i].y),
                     zi = _mm256_set1_ps(points[i].z);
        const __m256 vxi = _mm256_set1_ps(flow[i].x), vyi = _mm256_set1_ps(flow[i].y), vzi = _mm256_set1_ps(flow[i].z);
        const __m256 pi = _mm256_set1_ps(flow[i].w);
        LaneSum3 pressureSum, friction, gradient;
        __m256 laplacian = zero;
        const int* const list = plain.neighbors.begin(i);
        for (int n = 0, near = plain.neighbors.count(i); n < near; n += Neighbors::kLanes) {
            const Lanes4 other = loadLanes(points, list + n);
            const __m256 dx = _mm256_sub_ps(xi, other.x), dy = _mm256_sub_ps(yi, other.y),
                         dz = _mm256_sub_ps(zi, other.z), volume = other.w;
            const __m256 r2 = _mm256_fmadd_ps(dz, dz, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dx, dx)));
            const __m256 r = _mm256_sqrt_ps(_mm256_max_ps(r2, smallest));
            const __m256 q = _mm256_max_ps(_mm256_sub_ps(h, r), zero);

            // pressure: (h − r)²/r d, times the pressure term of the form
            const Lanes4 otherFlow = loadLanes(flow, list + n);
            __m256 pressure = otherFlow.w;
            if constexpr (kForm != PressureForm::basic) pressure = _mm256_add_ps(pressure, pi);
            if constexpr (kForm != PressureForm::symmetric) pressure = _mm256_mul_ps(pressure, volume);
            const __m256 steepness = _mm256_div_ps(_mm256_mul_ps(q, q), r);
            pressureSum.add(_mm256_mul_ps(pressure, steepness), dx, dy, dz);

            // viscosity: V (h − r) (vⱼ − vᵢ)
            friction.add(_mm256_mul_ps(volume, q), _mm256_sub_ps(otherFlow.x, vxi), _mm256_sub_ps(otherFlow.y, vyi),
                         _mm256_sub_ps(otherFlow.z, vzi));

            // colour field: V (h² − r²)² d, and V (h² − r²)(3h² − 7r²)
            if constexpr (kHasSurface) {
                const __m256 inside = _mm256_max_ps(_mm256_sub_ps(h2, r2), zero);
                const __m256 weight = _mm256_mul_ps(volume, inside);
                gradient.add(_mm256_mul_ps(weight, inside), dx, dy, dz);
                laplacian = _mm256_fmadd_ps(weight, _mm256_fnmadd_ps(outward, r2, from), laplacian);
            }
        }
        const float inverseDensity = 1 / plain.density[i];
        const float pressureScale = kForm == PressureForm::symmetric ? fluid.mass
                                    : kForm == PressureForm::mean    ? 0.5f * inverseDensity
                                                                     : inverseDensity;
        ColorField color;
        color.addSelf(fluid.poly6, plain.volume[i]);
        color.gradient = fluid.poly6.gradient * gradient.total();
        color.laplacian += fluid.poly6.gradient * sumOfLanes(laplacian);
        plain.finish(i, -(pressureScale * fluid.spiky.gradient) * pressureSum.total(),
                     (fluid.sweptViscosity * fluid.viscosityKernel.laplace) * friction.total(), color);
    }
}

using SumForces = void (*)(const Forces&, const LaneMemory&, int, int);
template <bool kHasSurface>
SumForces sumForcesOf(PressureForm form) {
    return form == PressureForm::symmetric ? sumForces<PressureForm::symmetric, kHasSurface>
           : form == PressureForm::mean    ? sumForces<PressureForm::mean, kHasSurface>
                                           : sumForces<PressureForm::basic, kHasSurface>;
}

void applyForcesTuned(const Forces& plain, const Device& device, int listSize, LaneMemory& memory) {
    const FluidConstants fluid = plain.fluids[0];
    const int count = plain.a.count;
    memory.resizeDiscard(count);
    Float4 *const points = memory.points.data(), *const flow = memory.flow();
    const bool fractional = plain.past.count > 0 && isFractional(fluid);
    expectTraffic((32.0 + 64) * count);
    forEachChunk(device, "packParticles", count, 16 * kChunk, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            const Vec3 x = plain.neighbors.x[i], v = fractional ? plain.past[i] : plain.v[i];
            const float volume = plain.volume[i];
            points[i] = {x.x, x.y, x.z, volume};
            flow[i] = {v.x, v.y, v.z,
                       pressureTermOf(fluid.pressureForm, plain.pressure[i], volume * fluid.inverseMass)};
        }
    });
    const SumForces sum =
        fluid.hasColorSurface() ? sumForcesOf<true>(fluid.pressureForm) : sumForcesOf<false>(fluid.pressureForm);
    // Reads neighbour lists with their offsets and counts, points and flow, density and volume; writes acceleration and
    // normal.
    expectTraffic(4.0 * listSize + (8 + 32 + 8 + 48.0) * count);
    forEachChunk(device, "forces", count, kChunk, [&](int begin, int end) { sum(plain, memory, begin, end); });
}
#endif

Forces forcesOf(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                const Buffer<float>& volume, LaneMemory& memory, Span<const Vec3> past) {
    Forces forces;
    forces.past = past;
    forces.neighbors = neighbors.view();
    forces.fluids = materials.fluids.span();
    forces.fields = materials.fields.span();
    forces.gravity = materials.gravity;
    forces.body = particles.body.span();
    forces.v = particles.v.span();
    forces.density = particles.density.span();
    forces.pressure = particles.pressure.span();
    forces.volume = volume.span();
    forces.a = particles.a.span();
    forces.normal = particles.normal.span();
    if (materials.cohesive) forces.gradient = roomForGradients(memory, particles.count());
    return forces;
}

}  // namespace

void applyForcesPlain(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                      const Buffer<float>& volume, LaneMemory& memory, Span<const Vec3> past) {
    forEach(volume.device(), "forces", particles.count(),
            forcesOf(particles, neighbors, materials, volume, memory, past));
}

void applyForces(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                 const Buffer<float>& volume, LaneMemory& memory, Span<const Vec3> past) {
    const Float4* packed = nullptr;
#ifdef __AVX2__
    if (materials.fluids.size() == 1 && materials.fluids[0].kernel == SmoothingKernel::muller &&
        volume.device().isCpu()) {
        applyForcesTuned(forcesOf(particles, neighbors, materials, volume, memory, past), volume.device(),
                         neighbors.listSize(), memory);
        packed = memory.points.data();
    } else
#endif
        applyForcesPlain(particles, neighbors, materials, volume, memory, past);
    if (materials.curved)
        applyCurvatureTension(particles, neighbors, nullptr, materials, volume, memory.normals, packed);
}

}  // namespace purl
