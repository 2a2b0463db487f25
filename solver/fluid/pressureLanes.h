// The sums of pressureSystem.h and pbf.h, eight neighbours at a time. Arrays of points and vectors have one element
// more than there are particles, far away and weightless: what lists are filled up with.
#pragma once
#include "solver/core/forEach.h"
#include "solver/fluid/lanes.h"
#include "solver/fluid/pressureSystem.h"

namespace purl {

// Far enough for every kernel to be zero, near enough for its square to be finite.
constexpr Packed kFarAway{{1e15f, 1e15f, 1e15f}, 0};

#ifdef __AVX2__

// xᵢ − xⱼ for eight j.
struct LaneOffsets {
    __m256 x, y, z;

    LaneOffsets(Vec3 from, const Lanes4& to)
        : x(_mm256_sub_ps(_mm256_set1_ps(from.x), to.x)),
          y(_mm256_sub_ps(_mm256_set1_ps(from.y), to.y)),
          z(_mm256_sub_ps(_mm256_set1_ps(from.z), to.z)) {}
    __m256 dot(const LaneOffsets& other) const {
        return _mm256_fmadd_ps(z, other.z, _mm256_fmadd_ps(y, other.y, _mm256_mul_ps(x, other.x)));
    }
    __m256 lengthSquared() const { return dot(*this); }
};

// The cubic spline without its constant factors.
struct SplineLanes {
    __m256 outer, inner, q;

    SplineLanes(const CubicSpline& W, __m256 r2) {
        const __m256 zero = _mm256_setzero_ps();
        q = _mm256_mul_ps(_mm256_set1_ps(W.perHalf), _mm256_sqrt_ps(r2));
        outer = _mm256_max_ps(_mm256_sub_ps(_mm256_set1_ps(2), q), zero);
        inner = _mm256_max_ps(_mm256_sub_ps(_mm256_set1_ps(1), q), zero);
    }
    // ¼ (2 − q)³ − (1 − q)³
    __m256 value() const {
        const __m256 far = _mm256_mul_ps(_mm256_mul_ps(_mm256_set1_ps(0.25f), outer), _mm256_mul_ps(outer, outer));
        return _mm256_fnmadd_ps(_mm256_mul_ps(inner, inner), inner, far);
    }
    // 9/4 q − 3 where q < 1, −¾ (2 − q)²/q beyond
    __m256 gradientFactor() const {
        const __m256 near = _mm256_fmsub_ps(_mm256_set1_ps(2.25f), q, _mm256_set1_ps(3));
        const __m256 far = _mm256_div_ps(_mm256_mul_ps(_mm256_set1_ps(-0.75f), _mm256_mul_ps(outer, outer)), q);
        return _mm256_blendv_ps(far, near, _mm256_cmp_ps(q, _mm256_set1_ps(1), _CMP_LT_OQ));
    }
};

// MeasureSystem for fluids of one rest density and one spacing.
struct MeasureSystemLanes {
    const MeasureSystem& plain;

    void operator()(int i) const {
        const FluidConstants& fluid = plain.fluids[0];
        const Packed* const points = plain.points.data;
        const Vec3 xi = points[i].v;
        const __m256 scale = _mm256_set1_ps(fluid.restVolume * plain.W.gradient);
        __m256 values = _mm256_setzero_ps(), squares = values;
        LaneSum3 gradient;
        const int* const list = plain.neighbors.begin(i);
        float* const factors = plain.pairs.data + (list - plain.neighbors.indices);
        const int count = plain.neighbors.count(i);
        for (int n = 0; n < count; n += Neighbors::kLanes) {
            const LaneOffsets d(xi, loadLanes(points, list + n));
            const __m256 r2 = d.lengthSquared();
            const SplineLanes W(plain.W, r2);
            const __m256 f = _mm256_mul_ps(scale, W.gradientFactor());
            _mm256_storeu_ps(factors + n, f);
            values = _mm256_add_ps(values, W.value());
            squares = _mm256_fmadd_ps(_mm256_mul_ps(f, f), r2, squares);
            gradient.add(f, d.x, d.y, d.z);
        }
        const float delta = fluid.restVolume * (plain.W(0) + plain.W.value * sumOfLanes(values));
        plain.finish(i, delta, fluid.inverseMass * sumOfLanes(squares), gradient.total());
    }
};

struct PressureAccelerationLanes {
    const PressureAcceleration& plain;

    void operator()(int i) const {
        const Packed* const points = plain.points.data;
        const Vec3 xi = points[i].v;
        const __m256 pi = _mm256_set1_ps(points[i].s);
        LaneSum3 sum;
        const int* const list = plain.neighbors.begin(i);
        const float* const factors = plain.pairs.data + (list - plain.neighbors.indices);
        for (int n = 0, count = plain.neighbors.count(i); n < count; n += Neighbors::kLanes) {
            const Lanes4 other = loadLanes(points, list + n);
            const LaneOffsets d(xi, other);
            sum.add(_mm256_mul_ps(_mm256_loadu_ps(factors + n), _mm256_add_ps(pi, other.w)), d.x, d.y, d.z);
        }
        plain.finish(i, sum.total());
    }
};

struct CompressionRateLanes {
    CompressionRate plain;

    float operator()(int i) const {
        const Packed *const points = plain.points.data, *const u = plain.u.data;
        const Vec3 xi = points[i].v, ui = u[i].v;
        __m256 sum = _mm256_setzero_ps();
        const int* const list = plain.neighbors.begin(i);
        const float* const factors = plain.pairs.data + (list - plain.neighbors.indices);
        for (int n = 0, count = plain.neighbors.count(i); n < count; n += Neighbors::kLanes) {
            const LaneOffsets d(xi, loadLanes(points, list + n)), apart(ui, loadLanes(u, list + n));
            sum = _mm256_fmadd_ps(_mm256_loadu_ps(factors + n), d.dot(apart), sum);
        }
        return dot(ui, plain.wall[i].v) + sumOfLanes(sum);
    }
};

#endif

// Runs kernel(i) for each i on the CPU; unlike forEach's, its kernel need not compile for a GPU.
template <class Kernel>
void forEachOnCpu(const Device& device, const char* name, int count, const Kernel& kernel) {
    forEachChunk(device, name, count, 256, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) kernel(i);
    });
}

}  // namespace purl
