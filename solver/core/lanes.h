// Lanes: eight floats that are computed with together, in as many registers as the processor needs. Kernels over pairs
// are templates of F, which is float or Lanes; the functions below exist for both, and give the same bits in every lane
// on every processor (registers.h says how). Sums over lanes have one fixed order.
#pragma once
#include <cmath>
#include <cstdint>
#include <utility>

#include "solver/core/registers.h"
#include "solver/core/vec.h"
#ifdef __AVX2__
    #include <immintrin.h>
#endif

namespace purl {

// A Vec3 and a scalar in one aligned 16-byte load.
struct alignas(16) Float4 {
    float x, y, z, w = 0;

    PURL_HD explicit operator Vec3() const { return {x, y, z}; }
};

constexpr int kLanes = 8;

struct Lanes {
    registers::Floats part[registers::kParts];

    Lanes() = default;
    PURL_HD Lanes(float all);
};
struct LaneInts {
    registers::Ints part[registers::kParts];

    LaneInts() = default;
    PURL_HD LaneInts(int all);
};
// A truth value per lane.
struct LaneMask {
    registers::Mask part[registers::kParts];
};

namespace registers {

// Result of a function of one register, for each register of the arguments.
template <class Result, class Function, std::size_t... kPart, class... Arguments>
PURL_HD inline Result eachPart(const Function& function, std::index_sequence<kPart...>, const Arguments&... arguments) {
    Result result;
    const auto one = [&](auto part) { result.part[part] = function(arguments.part[part]...); };
    (one(std::integral_constant<std::size_t, kPart>()), ...);
    return result;
}
template <class Result, class Function, class... Arguments>
PURL_HD inline Result each(const Function& function, const Arguments&... arguments) {
    return eachPart<Result>(function, std::make_index_sequence<kParts>(), arguments...);
}

}  // namespace registers

PURL_HD inline Lanes::Lanes(float all) {
    for (auto& each : part) each = registers::broadcast(all);
}
PURL_HD inline LaneInts::LaneInts(int all) {
    for (auto& each : part) each = registers::broadcast(all);
}

// Eight consecutive floats, at any address.
PURL_HD inline Lanes load(const float* from) {
    Lanes all;
    for (int p = 0; p < registers::kParts; ++p) all.part[p] = registers::load(from + p * registers::kWidth);
    return all;
}
PURL_HD inline LaneInts load(const int* from) {
    LaneInts all;
    for (int p = 0; p < registers::kParts; ++p) all.part[p] = registers::load(from + p * registers::kWidth);
    return all;
}
PURL_HD inline void store(Lanes a, float* to) {
    for (int p = 0; p < registers::kParts; ++p) registers::store(a.part[p], to + p * registers::kWidth);
}
PURL_HD inline void store(LaneInts a, int* to) {
    for (int p = 0; p < registers::kParts; ++p) registers::store(a.part[p], to + p * registers::kWidth);
}
// Elements list[0] … list[7] of an array. Rows (below) are faster where they can be had.
PURL_HD inline Lanes gather(const float* array, const int* list) {
    Lanes all;
    for (int p = 0; p < registers::kParts; ++p) all.part[p] = registers::gather(array, list + p * registers::kWidth);
    return all;
}

PURL_HD inline LaneInts gather(const int* array, const int* list) {
    LaneInts all;
    for (int p = 0; p < registers::kParts; ++p) all.part[p] = registers::gather(array, list + p * registers::kWidth);
    return all;
}

PURL_HD inline Lanes operator+(Lanes a, Lanes b) {
    return registers::each<Lanes>([](auto x, auto y) { return registers::add(x, y); }, a, b);
}
PURL_HD inline Lanes operator-(Lanes a, Lanes b) {
    return registers::each<Lanes>([](auto x, auto y) { return registers::sub(x, y); }, a, b);
}
PURL_HD inline Lanes operator*(Lanes a, Lanes b) {
    return registers::each<Lanes>([](auto x, auto y) { return registers::mul(x, y); }, a, b);
}
PURL_HD inline Lanes operator/(Lanes a, Lanes b) {
    return registers::each<Lanes>([](auto x, auto y) { return registers::div(x, y); }, a, b);
}
PURL_HD inline Lanes operator-(Lanes a) {
    return registers::each<Lanes>([](auto x) { return registers::negate(x); }, a);
}
// b if either is NaN or both are zeros.
PURL_HD inline Lanes min(Lanes a, Lanes b) {
    return registers::each<Lanes>([](auto x, auto y) { return registers::min(x, y); }, a, b);
}
PURL_HD inline Lanes max(Lanes a, Lanes b) {
    return registers::each<Lanes>([](auto x, auto y) { return registers::max(x, y); }, a, b);
}
PURL_HD inline Lanes sqrt(Lanes a) {
    return registers::each<Lanes>([](auto x) { return registers::sqrt(x); }, a);
}
PURL_HD inline Lanes abs(Lanes a) {
    return registers::each<Lanes>([](auto x) { return registers::abs(x); }, a);
}
// a b + c, rounded once
PURL_HD inline Lanes fma(Lanes a, Lanes b, Lanes c) {
    return registers::each<Lanes>([](auto x, auto y, auto z) { return registers::fma(x, y, z); }, a, b, c);
}
// c − a b, rounded once
PURL_HD inline Lanes fnma(Lanes a, Lanes b, Lanes c) {
    return registers::each<Lanes>([](auto x, auto y, auto z) { return registers::fnma(x, y, z); }, a, b, c);
}
PURL_HD inline LaneMask operator<(Lanes a, Lanes b) {
    return registers::each<LaneMask>([](auto x, auto y) { return registers::less(x, y); }, a, b);
}
PURL_HD inline LaneMask operator<=(Lanes a, Lanes b) {
    return registers::each<LaneMask>([](auto x, auto y) { return registers::lessEqual(x, y); }, a, b);
}
PURL_HD inline LaneMask operator==(Lanes a, Lanes b) {
    return registers::each<LaneMask>([](auto x, auto y) { return registers::equal(x, y); }, a, b);
}
PURL_HD inline LaneMask operator>(Lanes a, Lanes b) { return b < a; }
PURL_HD inline LaneMask operator>=(Lanes a, Lanes b) { return b <= a; }
PURL_HD inline LaneInts operator+(LaneInts a, LaneInts b) {
    return registers::each<LaneInts>([](auto x, auto y) { return registers::add(x, y); }, a, b);
}
PURL_HD inline LaneMask operator<(LaneInts a, LaneInts b) {
    return registers::each<LaneMask>([](auto x, auto y) { return registers::less(x, y); }, a, b);
}
PURL_HD inline LaneMask operator==(LaneInts a, LaneInts b) {
    return registers::each<LaneMask>([](auto x, auto y) { return registers::equal(x, y); }, a, b);
}
PURL_HD inline LaneMask operator>(LaneInts a, LaneInts b) { return b < a; }
PURL_HD inline LaneMask operator&(LaneMask a, LaneMask b) {
    return registers::each<LaneMask>([](auto x, auto y) { return registers::both(x, y); }, a, b);
}
PURL_HD inline LaneMask operator|(LaneMask a, LaneMask b) {
    return registers::each<LaneMask>([](auto x, auto y) { return registers::either(x, y); }, a, b);
}
PURL_HD inline LaneMask operator!(LaneMask a) {
    return registers::each<LaneMask>([](auto x) { return registers::inverse(x); }, a);
}
PURL_HD inline Lanes select(LaneMask a, Lanes b, Lanes c) {
    return registers::each<Lanes>([](auto x, auto y, auto z) { return registers::select(x, y, z); }, a, b, c);
}
// Sum in the order ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)).
PURL_HD inline float sum(Lanes a) { return registers::sum(a.part); }
// The smallest and largest lane; for numbers only.
inline float minLane(Lanes a) {
    float each[kLanes], smallest;
    store(a, each);
    smallest = each[0];
    for (const float s : each) smallest = s < smallest ? s : smallest;
    return smallest;
}
inline float maxLane(Lanes a) { return -minLane(-a); }

// One bit per lane, lane 0 lowest.
PURL_HD inline int bitsOf(LaneMask m) {
    int bits = 0;
    for (int p = 0; p < registers::kParts; ++p) bits |= registers::bitsOf(m.part[p]) << (p * registers::kWidth);
    return bits;
}
// visit(lane) for every set bit, lowest first.
template <class Visit>
inline void forEachBit(int bits, const Visit& visit) {
#ifdef __GNUC__
    for (; bits; bits &= bits - 1) visit(__builtin_ctz(static_cast<unsigned>(bits)));
#else
    for (int lane = 0; bits; ++lane, bits >>= 1)
        if (bits & 1) visit(lane);
#endif
}

// ---- the same functions for one float, so that templates of F compile for both ----------------------------------

PURL_HD inline float min(float a, float b) { return a < b ? a : b; }
PURL_HD inline float max(float a, float b) { return a > b ? a : b; }
PURL_HD inline float sqrt(float a) { return std::sqrt(a); }
PURL_HD inline float abs(float a) { return std::fabs(a); }
// c − a b
PURL_HD inline float fnma(float a, float b, float c) { return fma(-a, b, c); }
PURL_HD inline float select(bool m, float a, float b) { return m ? a : b; }

// ---- vectors and rows --------------------------------------------------------------------------------------------

// Three components. Sums of products are fused.
template <class F>
struct VecOf {
    F x{0.0f}, y{0.0f}, z{0.0f};

    PURL_HD VecOf& operator+=(const VecOf& b) { return x = x + b.x, y = y + b.y, z = z + b.z, *this; }
};
template <class F>
PURL_HD inline VecOf<F> operator+(const VecOf<F>& a, const VecOf<F>& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class F>
PURL_HD inline VecOf<F> operator-(const VecOf<F>& a, const VecOf<F>& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class F>
PURL_HD inline VecOf<F> operator*(const F& s, const VecOf<F>& a) {
    return {s * a.x, s * a.y, s * a.z};
}
template <class F>
PURL_HD inline F dot(const VecOf<F>& a, const VecOf<F>& b) {
    return fma(a.z, b.z, fma(a.y, b.y, a.x * b.x));
}
// s a + b
template <class F>
PURL_HD inline VecOf<F> fma(const F& s, const VecOf<F>& a, const VecOf<F>& b) {
    return {fma(s, a.x, b.x), fma(s, a.y, b.y), fma(s, a.z, b.z)};
}
template <class F>
PURL_HD inline VecOf<F> cross(const VecOf<F>& a, const VecOf<F>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class F, class M>
PURL_HD inline VecOf<F> select(M m, const VecOf<F>& a, const VecOf<F>& b) {
    return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}
// The same vector in every lane.
template <class F>
PURL_HD inline VecOf<F> broadcast(Vec3 a) {
    return {F(a.x), F(a.y), F(a.z)};
}
PURL_HD inline Vec3 vec3(const VecOf<float>& a) { return {a.x, a.y, a.z}; }
PURL_HD inline Vec3 sum(const VecOf<Lanes>& a) { return {sum(a.x), sum(a.y), sum(a.z)}; }

// The four floats of an aligned 16-byte element, such as a Float4.
template <class F>
struct Row {
    F x, y, z, w;

    PURL_HD VecOf<F> xyz() const { return {x, y, z}; }
};

// The first 16 bytes of elements list[0] … list[7].
template <class Four>
PURL_HD inline Row<Lanes> loadRows(const Four* array, const int* list) {
    static_assert(alignof(Four) >= 16 && sizeof(Four) % sizeof(float) == 0);
    Row<Lanes> all;
    for (int p = 0; p < registers::kParts; ++p)
        registers::loadRows(reinterpret_cast<const float*>(array), sizeof(Four) / sizeof(float),
                            list + p * registers::kWidth, all.x.part[p], all.y.part[p], all.z.part[p], all.w.part[p]);
    return all;
}
// Writes them back.
template <class Four>
PURL_HD inline void storeRows(const Row<Lanes>& all, Four* array, const int* list) {
    static_assert(alignof(Four) >= 16 && sizeof(Four) % sizeof(float) == 0);
    for (int p = 0; p < registers::kParts; ++p)
        registers::storeRows(all.x.part[p], all.y.part[p], all.z.part[p], all.w.part[p],
                             reinterpret_cast<float*>(array), sizeof(Four) / sizeof(float),
                             list + p * registers::kWidth);
}
// (a − aⱼ)·(b − bⱼ) for elements of two rows a and b: those of `own`, and of elements j = list[0] … list[7]. Products
// are added in the order (x + z) + (y + w).
template <class Eight>
PURL_HD inline Lanes dotOfDifferences(const Eight* array, const int* list, const Eight& own) {
    static_assert(alignof(Eight) == 32 && sizeof(Eight) == 8 * sizeof(float));
    Lanes all;
    for (int p = 0; p < registers::kParts; ++p)
        all.part[p] = registers::dotOfDifferences(reinterpret_cast<const float*>(array), list + p * registers::kWidth,
                                                  reinterpret_cast<const float*>(&own));
    return all;
}
// Eight consecutive points.
PURL_HD inline VecOf<Lanes> loadPoints(const Vec3* points) {
    VecOf<Lanes> all;
    for (int p = 0; p < registers::kParts; ++p)
        registers::loadPoints(&points->x + 3 * p * registers::kWidth, all.x.part[p], all.y.part[p], all.z.part[p]);
    return all;
}

// ---- moving lanes ------------------------------------------------------------------------------------------------

// For each set of lanes, as bits: its lanes in ascending order, and the number of its lanes below each lane.
struct LaneOrders {
    uint8_t places[256][8] = {}, below[256][8] = {};
    constexpr LaneOrders() {
        for (unsigned bits = 0; bits < 256; ++bits) {
            uint8_t set = 0;
            for (uint8_t lane = 0; lane < 8; ++lane) {
                below[bits][lane] = set;
                if (bits >> lane & 1) places[bits][set++] = lane;
            }
        }
    }
};
alignas(64) inline constexpr LaneOrders kLaneOrders;

// Lane k of the result is lane order[k] of a.
PURL_HD inline Lanes permuted(Lanes a, const uint8_t (&order)[8]) {
    Lanes to;
    registers::permute(a.part, order, to.part);
    return to;
}
PURL_HD inline Lanes fromBits(LaneInts a) {
    return registers::each<Lanes>([](auto x) { return registers::fromBits(x); }, a);
}
PURL_HD inline LaneInts bitsOf(Lanes a) {
    return registers::each<LaneInts>([](auto x) { return registers::bits(x); }, a);
}
// The lanes of a set, moved to the lowest lanes; the others are unspecified.
inline Lanes compacted(Lanes a, int bits) { return permuted(a, kLaneOrders.places[bits]); }
inline LaneInts compacted(LaneInts a, int bits) { return bitsOf(compacted(fromBits(a), bits)); }

// ---- for loops that still use AVX2 itself -----------------------------------------------------------------------

#ifdef __AVX2__
constexpr bool kHasLanes = true;
#else
constexpr bool kHasLanes = false;
#endif

#ifdef __AVX2__

// Four floats of each of eight elements, one register per component (SoA).
struct Lanes4 {
    __m256 x, y, z, w;
};

// Transposes eight rows of four floats to four columns of eight, or back. Rows 0 and 4 are in a, rows 1 and 5 in b, …
inline Lanes4 transposed(__m256 a, __m256 b, __m256 c, __m256 d) {
    const __m256 abLow = _mm256_unpacklo_ps(a, b), abHigh = _mm256_unpackhi_ps(a, b);  // x x y y | z z w w
    const __m256 cdLow = _mm256_unpacklo_ps(c, d), cdHigh = _mm256_unpackhi_ps(c, d);
    return {_mm256_shuffle_ps(abLow, cdLow, _MM_SHUFFLE(1, 0, 1, 0)),
            _mm256_shuffle_ps(abLow, cdLow, _MM_SHUFFLE(3, 2, 3, 2)),
            _mm256_shuffle_ps(abHigh, cdHigh, _MM_SHUFFLE(1, 0, 1, 0)),
            _mm256_shuffle_ps(abHigh, cdHigh, _MM_SHUFFLE(3, 2, 3, 2))};
}

// Loads the first 16 bytes of elements list[0] … list[7]. Aligned loads plus a transpose: AVX2 gather instructions take
// three times as long.
template <class Four>
inline Lanes4 loadLanes(const Four* array, const int* list) {
    static_assert(alignof(Four) >= 16);
    const auto pair = [&](int low) {
        const __m128 a = _mm_load_ps(reinterpret_cast<const float*>(array + list[low]));
        const __m128 b = _mm_load_ps(reinterpret_cast<const float*>(array + list[low + 4]));
        return _mm256_insertf128_ps(_mm256_castps128_ps256(a), b, 1);
    };
    return transposed(pair(0), pair(1), pair(2), pair(3));
}

// Inverse of loadLanes: scatters the lanes back to elements list[0] … list[7].
template <class Four>
inline void storeLanes(const Lanes4& lanes, Four* array, const int* list) {
    static_assert(alignof(Four) >= 16);
    const Lanes4 rows = transposed(lanes.x, lanes.y, lanes.z, lanes.w);
    const auto put = [&](__m256 row, int low) {
        _mm_store_ps(reinterpret_cast<float*>(array + list[low]), _mm256_castps256_ps128(row));
        _mm_store_ps(reinterpret_cast<float*>(array + list[low + 4]), _mm256_extractf128_ps(row, 1));
    };
    put(rows.x, 0);
    put(rows.y, 1);
    put(rows.z, 2);
    put(rows.w, 3);
}

#endif

}  // namespace purl
