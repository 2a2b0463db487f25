// AVX2 versions of the kernels in pressureSystem.h and pbf.h, eight neighbours at a time. Arrays of points and vectors
// have one more element than there are particles, far away and with zero volume, to which the padding of neighbour
// lists refers.
#pragma once
#include <vector>

#include "solver/core/forEach.h"
#include "solver/fluid/lanes.h"
#include "solver/fluid/pressure/pressureSystem.h"

namespace purl {

// Far enough that every kernel is zero, near enough that its square is finite.
constexpr Vec3 kFar{1e15f, 1e15f, 1e15f};
constexpr Packed kFarAway{kFar, 0};

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

// DensityGradient of eight neighbours at a time, without the constant factors, for fluids of equal rest density and
// spacing.
struct DensityGradientLanes {
    __m256 values = _mm256_setzero_ps(), squares = _mm256_setzero_ps();
    LaneSum3 sum;

    // `f`: the gradient factor, times any constant.
    void add(const SplineLanes& W, const LaneOffsets& d, __m256 r2, __m256 f) {
        values = _mm256_add_ps(values, W.value());
        squares = _mm256_fmadd_ps(_mm256_mul_ps(f, f), r2, squares);
        sum.add(f, d.x, d.y, d.z);
    }
    float delta(const CubicSpline& W, const FluidConstants& fluid) const {
        return fluid.restVolume * (W(0) + W.value * sumOfLanes(values));
    }
};

// MeasureSystem for fluids of equal rest density and spacing.
struct MeasureSystemLanes {
    const MeasureSystem& plain;

    void operator()(int i) const {
        const FluidConstants& fluid = plain.fluids[0];
        const PressurePoint* const points = plain.points.data;
        const Vec3 xi = points[i].x;
        const __m256 slope = _mm256_set1_ps(fluid.restVolume * plain.W.gradient);
        DensityGradientLanes gradient;
        const int* const list = plain.neighbors.begin(i);
        float* const factors = plain.pairs.data + plain.neighbors.starts[i];
        const int count = plain.neighbors.count(i);
        for (int n = 0; n < count; n += Neighbors::kLanes) {
            const LaneOffsets d(xi, loadLanes(points, list + n));
            const __m256 r2 = d.lengthSquared();
            const SplineLanes W(plain.W, r2);
            const __m256 f = _mm256_mul_ps(slope, W.gradientFactor());
            _mm256_storeu_ps(factors + n, f);
            gradient.add(W, d, r2, f);
        }
        plain.finish(i, {gradient.delta(plain.W, fluid), fluid.inverseMass * sumOfLanes(gradient.squares),
                         gradient.sum.total()});
    }
};

struct PressureAccelerationLanes {
    const PressureAcceleration& plain;

    void operator()(int i) const {
        const PressurePoint* const points = plain.points.data;
        const Vec3 xi = points[i].x;
        const __m256 pi = _mm256_set1_ps(points[i].p);
        LaneSum3 sum;
        const int* const list = plain.neighbors.begin(i);
        const float* const factors = plain.pairs.data + plain.neighbors.starts[i];
        for (int n = 0, count = plain.neighbors.count(i); n < count; n += Neighbors::kLanes) {
            const Lanes4 other = loadLanes(points, list + n);
            const LaneOffsets d(xi, other);
            sum.add(_mm256_mul_ps(_mm256_loadu_ps(factors + n), _mm256_add_ps(pi, other.w)), d.x, d.y, d.z);
        }
        plain.finish(i, sum.total());
    }
};

// Two neighbours at a time, one load each: x and p in the lower half, u and 0 in the upper.
struct CompressionRateLanes {
    CompressionRate plain;

    float operator()(int i) const {
        const PressurePoint* const points = plain.points.data;
        const auto load = [&](int j) { return _mm256_load_ps(reinterpret_cast<const float*>(points + j)); };
        const __m256 own = load(i);
        __m256 even = _mm256_setzero_ps(), odd = even;
        const int* list = plain.neighbors.begin(i);
        const float* const factors = plain.pairs.data + plain.neighbors.starts[i];
        // (uᵢ − uⱼ) (xᵢ − xⱼ) of neighbours k and k + 4, in one half each
        const auto products = [&](int k) {
            const __m256 a = _mm256_sub_ps(own, load(list[k])), b = _mm256_sub_ps(own, load(list[k + 4]));
            return _mm256_mul_ps(_mm256_permute2f128_ps(a, b, 0x20), _mm256_permute2f128_ps(a, b, 0x31));
        };
        for (int n = 0, count = plain.neighbors.count(i); n < count;
             n += Neighbors::kLanes, list += Neighbors::kLanes) {
            const __m256 f = _mm256_loadu_ps(factors + n);
            even = _mm256_fmadd_ps(_mm256_permute_ps(f, 0x00), products(0), even);
            odd = _mm256_fmadd_ps(_mm256_permute_ps(f, 0x55), products(1), odd);
            even = _mm256_fmadd_ps(_mm256_permute_ps(f, 0xaa), products(2), even);
            odd = _mm256_fmadd_ps(_mm256_permute_ps(f, 0xff), products(3), odd);
        }
        return dot(points[i].u, wallAt(plain.wall, i).v) + sumOfLanes(_mm256_add_ps(even, odd));
    }
};

#endif

// Runs kernel.conclude(i, rate(i)) like forEachOnCpu and sums the results in an order that does not depend on the
// number of threads. All rates of a chunk are computed first: conclude(i) writes p of a point that the next rates load,
// and each of those loads would wait for the store.
template <class Rate, class Kernel>
double concludeOnCpu(const Device& device, const char* name, int count, const Rate& rate, const Kernel& kernel) {
    constexpr int kChunk = 256;
    std::vector<double> sums(static_cast<size_t>(count / kChunk + 1));
    forEachChunk(device, name, count, kChunk, [&](int begin, int end) {
        float rates[kChunk];
        for (int i = begin; i < end; ++i) rates[i - begin] = rate(i);
        double sum = 0;
        for (int i = begin; i < end; ++i) sum += double(kernel.conclude(i, rates[i - begin]));
        sums[static_cast<size_t>(begin / kChunk)] = sum;
    });
    double total = 0;
    for (const double sum : sums) total += sum;
    return total;
}

}  // namespace purl
