// Building blocks of the vectorized (AVX2) neighbour loops, eight neighbours at a time. Sums are kept per lane and
// reduced in a fixed order at the end, so results do not depend on the number of threads.
#pragma once
#include "solver/core/buffer.h"
#include "solver/core/copy.h"
#include "solver/core/forEach.h"
#include "solver/core/lanes.h"
#include "solver/core/vec.h"

namespace purl {

// Padding element: too far away to interact, and without volume.
constexpr Float4 kNobody4{1e15f, 1e15f, 1e15f, 0};

// Scratch memory of the vectorized loops: neighbour data packed for gathers. One element more than there are particles:
// neighbour lists are padded with the index of that last element, which is far away and has no volume.
struct LaneMemory {
    explicit LaneMemory(const Device& device = Device::cpu())
        : points(device, "lanes.points"),
          gradient(device, "lanes.gradient"),
          past(device, "lanes.past"),
          normals(device, "lanes.normals") {}
    Buffer<Float4> points;    // x and V, followed by as many elements of flow()
    Buffer<Float4> gradient;  // of the colour field, 1/m; for cohesion, by scalar loops too
    Buffer<Float4> past;      // replaces v in fractional viscosity
    Buffer<Vec3> normals;     // scratch memory of solver/reference/curvature.h

    // Resizes points and flow to `count` particles, and sets their padding elements.
    void resizeDiscard(int count) {
        points.resizeDiscard(2 * (count + 1));
        setElements(points, count, 1, kNobody4);
        setElements(points, 2 * count + 1, 1, Float4{});
    }
    // v, and in w the particle's term of the pressure force.
    Float4* flow() { return points.data() + points.size() / 2; }
    const Float4* flow() const { return points.data() + points.size() / 2; }
};

inline Span<Float4> roomForGradients(LaneMemory& memory, int count) {
    memory.gradient.resize(count + 1);
    setElements(memory.gradient, count, 1, Float4{});
    return {memory.gradient.data(), count};
}

// Runs kernel(i) for each i on the CPU. Unlike with forEach, the kernel need not compile for a GPU.
template <class Kernel>
void forEachOnCpu(const Device& device, const char* name, int count, const Kernel& kernel) {
    forEachChunk(device, name, count, 256, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) kernel(i);
    });
}

#ifdef __AVX2__

// Packs positions with volumes, and velocities, each followed by a padding element.
inline void packFlow(const Device& device, Span<const Vec3> x, Span<const Vec3> v, Span<const float> volume,
                     LaneMemory& memory) {
    memory.resizeDiscard(x.count);
    Float4 *const points = memory.points.data(), *const flow = memory.flow();
    forEachOnCpu(device, "packFlow", x.count, [&](int i) {
        points[i] = {x[i].x, x[i].y, x[i].z, volume[i]};
        flow[i] = {v[i].x, v[i].y, v[i].z, 0};
    });
}

// Horizontal sum in the order ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)).
inline float sumOfLanes(__m256 v) {
    const __m128 four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

// Per-lane sums of a vector.
struct LaneSum3 {
    __m256 x = _mm256_setzero_ps(), y = _mm256_setzero_ps(), z = _mm256_setzero_ps();

    void add(__m256 factor, __m256 dx, __m256 dy, __m256 dz) {
        x = _mm256_fmadd_ps(factor, dx, x);
        y = _mm256_fmadd_ps(factor, dy, y);
        z = _mm256_fmadd_ps(factor, dz, z);
    }
    Vec3 total() const { return {sumOfLanes(x), sumOfLanes(y), sumOfLanes(z)}; }
};

#endif

}  // namespace purl
