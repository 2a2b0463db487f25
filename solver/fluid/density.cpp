#include "solver/fluid/density.h"

#include "solver/core/forEach.h"
#include "solver/core/traffic.h"

namespace purl {
namespace {

constexpr int kChunk = 256;

#ifdef __AVX2__
// Density::operator() for one fluid, eight neighbours at a time.
void computeDensityTuned(const Density& plain, Span<const Vec3> x, const Device& device, int listSize,
                         LaneMemory& memory) {
    const int count = x.count;
    memory.resizeDiscard(count);
    Float4* const points = memory.points.data();
    expectTraffic((12.0 + 32) * count);
    forEachChunk(device, "packPoints", count, 16 * kChunk, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) points[i] = {x[i].x, x[i].y, x[i].z, 0};
    });
    const FluidConstants fluid = plain.fluids[0];
    const float scale = fluid.mass * fluid.poly6.value, self = fluid.mass * fluid.poly6(0);
    const Float4* const from = points;
    // Reads neighbour lists with their offsets and counts, and points; writes three floats per particle.
    expectTraffic(4.0 * listSize + (8 + 16 + 24.0) * count);
    forEachChunk(device, "density", count, kChunk, [&](int begin, int end) {
        const __m256 h2 = _mm256_set1_ps(fluid.poly6.h2), zero = _mm256_setzero_ps();
        for (int i = begin; i < end; ++i) {
            const __m256 xi = _mm256_set1_ps(from[i].x), yi = _mm256_set1_ps(from[i].y), zi = _mm256_set1_ps(from[i].z);
            __m256 cubes = zero;
            const int* const list = plain.neighbors.begin(i);
            for (int n = 0, near = plain.neighbors.count(i); n < near; n += Neighbors::kLanes) {
                const Lanes4 other = loadLanes(from, list + n);
                const __m256 dx = _mm256_sub_ps(xi, other.x), dy = _mm256_sub_ps(yi, other.y),
                             dz = _mm256_sub_ps(zi, other.z);
                const __m256 r2 = _mm256_fmadd_ps(dz, dz, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dx, dx)));
                // Σ (h² − r²)³
                const __m256 q = _mm256_max_ps(_mm256_sub_ps(h2, r2), zero);
                cubes = _mm256_fmadd_ps(_mm256_mul_ps(q, q), q, cubes);
            }
            const float density = self + scale * sumOfLanes(cubes);
            plain.density[i] = density;
            plain.pressure[i] = pressureAt(density, fluid);
            plain.volume[i] = fluid.mass / density;
        }
    });
}
#endif

Density densityOf(Particles& particles, const Neighbors& neighbors, const Materials& materials, Buffer<float>& volume) {
    volume.resize(particles.count());
    return {neighbors.view(),         particles.body.span(),     materials.fluids.span(),
            particles.density.span(), particles.pressure.span(), volume.span()};
}

}  // namespace

void computeDensityPlain(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                         Buffer<float>& volume) {
    forEach(volume.device(), "density", particles.count(), densityOf(particles, neighbors, materials, volume));
}

void computeDensity(Particles& particles, const Neighbors& neighbors, const Materials& materials, Buffer<float>& volume,
                    [[maybe_unused]] LaneMemory& memory) {
#ifdef __AVX2__
    if (materials.fluids.size() == 1 && materials.fluids[0].kernel == SmoothingKernel::muller &&
        volume.device().isCpu())
        return computeDensityTuned(densityOf(particles, neighbors, materials, volume),
                                   std::as_const(particles.x).span(), volume.device(), neighbors.listSize(), memory);
#endif
    computeDensityPlain(particles, neighbors, materials, volume);
}

}  // namespace purl
