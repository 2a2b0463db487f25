// The vector registers of the processor: the only file of the solver with intrinsics. lanes.h builds on it; nothing
// else includes it. kWidth floats fit in a register: 8 with AVX2, 4 with SSE2 and NEON, and 1 where there are none, as
// in code for GPUs. Each function is one instruction where the processor has it.
//
// Bits are the same on every processor: no approximations such as rsqrt; fma rounds once, in software if need be; min
// and max return their second argument if either is NaN or both are zeros, as the instructions of x86 do.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

#include "solver/core/fma.h"

#if defined(__CUDA_ARCH__) || defined(PURL_SCALAR)
// Arrays of single floats: on GPUs, and to compare the others with.
#elif defined(__AVX2__) && defined(__FMA__)
    #define PURL_REGISTERS_AVX2
    #include <immintrin.h>
#elif defined(__SSE2__)
    #define PURL_REGISTERS_SSE2
    #include <immintrin.h>
#elif defined(__aarch64__) && defined(__ARM_NEON)
    #define PURL_REGISTERS_NEON
    #include <arm_neon.h>
#endif

namespace purl {
namespace registers {

#ifdef PURL_REGISTERS_AVX2

constexpr int kWidth = 8;
using Floats = __m256;
using Ints = __m256i;
using Mask = __m256;  // all bits of a lane set, or none

PURL_HD inline Floats broadcast(float a) { return _mm256_set1_ps(a); }
PURL_HD inline Floats load(const float* a) { return _mm256_loadu_ps(a); }
PURL_HD inline void store(Floats a, float* to) { _mm256_storeu_ps(to, a); }
PURL_HD inline Floats add(Floats a, Floats b) { return _mm256_add_ps(a, b); }
PURL_HD inline Floats sub(Floats a, Floats b) { return _mm256_sub_ps(a, b); }
PURL_HD inline Floats mul(Floats a, Floats b) { return _mm256_mul_ps(a, b); }
PURL_HD inline Floats div(Floats a, Floats b) { return _mm256_div_ps(a, b); }
PURL_HD inline Floats sqrt(Floats a) { return _mm256_sqrt_ps(a); }
PURL_HD inline Floats min(Floats a, Floats b) { return _mm256_min_ps(a, b); }
PURL_HD inline Floats max(Floats a, Floats b) { return _mm256_max_ps(a, b); }
PURL_HD inline Floats fma(Floats a, Floats b, Floats c) { return _mm256_fmadd_ps(a, b, c); }
PURL_HD inline Floats fnma(Floats a, Floats b, Floats c) { return _mm256_fnmadd_ps(a, b, c); }
PURL_HD inline Floats negate(Floats a) { return _mm256_xor_ps(a, _mm256_set1_ps(-0.0f)); }
PURL_HD inline Floats abs(Floats a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a); }
PURL_HD inline Mask less(Floats a, Floats b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
PURL_HD inline Mask lessEqual(Floats a, Floats b) { return _mm256_cmp_ps(a, b, _CMP_LE_OQ); }
PURL_HD inline Mask equal(Floats a, Floats b) { return _mm256_cmp_ps(a, b, _CMP_EQ_OQ); }
PURL_HD inline Mask both(Mask a, Mask b) { return _mm256_and_ps(a, b); }
PURL_HD inline Mask either(Mask a, Mask b) { return _mm256_or_ps(a, b); }
PURL_HD inline Mask inverse(Mask a) { return _mm256_xor_ps(a, _mm256_castsi256_ps(_mm256_set1_epi32(-1))); }
PURL_HD inline Floats select(Mask m, Floats a, Floats b) { return _mm256_blendv_ps(b, a, m); }
PURL_HD inline int bitsOf(Mask m) { return _mm256_movemask_ps(m); }
PURL_HD inline Ints broadcast(int a) { return _mm256_set1_epi32(a); }
PURL_HD inline Ints load(const int* a) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a)); }
PURL_HD inline void store(Ints a, int* to) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), a); }
PURL_HD inline Ints add(Ints a, Ints b) { return _mm256_add_epi32(a, b); }
PURL_HD inline Mask less(Ints a, Ints b) { return _mm256_castsi256_ps(_mm256_cmpgt_epi32(b, a)); }
PURL_HD inline Mask equal(Ints a, Ints b) { return _mm256_castsi256_ps(_mm256_cmpeq_epi32(a, b)); }
PURL_HD inline Ints bits(Floats a) { return _mm256_castps_si256(a); }
PURL_HD inline Floats fromBits(Ints a) { return _mm256_castsi256_ps(a); }

// Sum in the order ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)).
PURL_HD inline float sum(const Floats (&a)[1]) {
    const __m128 four = _mm_add_ps(_mm256_castps256_ps128(a[0]), _mm256_extractf128_ps(a[0], 1));
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

// Four rows of eight floats: the columns of eight rows of four, or back. Rows 0 and 4 are in the first, 1 and 5 in the
// second, …
PURL_HD inline void transpose(Floats& a, Floats& b, Floats& c, Floats& d) {
    const __m256 abLow = _mm256_unpacklo_ps(a, b), abHigh = _mm256_unpackhi_ps(a, b);  // x x y y | z z w w
    const __m256 cdLow = _mm256_unpacklo_ps(c, d), cdHigh = _mm256_unpackhi_ps(c, d);
    a = _mm256_shuffle_ps(abLow, cdLow, _MM_SHUFFLE(1, 0, 1, 0));
    b = _mm256_shuffle_ps(abLow, cdLow, _MM_SHUFFLE(3, 2, 3, 2));
    c = _mm256_shuffle_ps(abHigh, cdHigh, _MM_SHUFFLE(1, 0, 1, 0));
    d = _mm256_shuffle_ps(abHigh, cdHigh, _MM_SHUFFLE(3, 2, 3, 2));
}
// Loads the aligned 16 bytes at base + stride list[0] … list[7], as columns. Three times as fast as AVX2's gather.
PURL_HD inline void loadRows(const float* base, int stride, const int* list, Floats& x, Floats& y, Floats& z,
                             Floats& w) {
    const auto pair = [&](int low) {
        const __m128 a = _mm_load_ps(base + stride * int64_t(list[low]));
        const __m128 b = _mm_load_ps(base + stride * int64_t(list[low + 4]));
        return _mm256_insertf128_ps(_mm256_castps128_ps256(a), b, 1);
    };
    x = pair(0), y = pair(1), z = pair(2), w = pair(3);
    transpose(x, y, z, w);
}
PURL_HD inline void storeRows(Floats x, Floats y, Floats z, Floats w, float* base, int stride, const int* list) {
    transpose(x, y, z, w);
    const auto put = [&](__m256 row, int low) {
        _mm_store_ps(base + stride * int64_t(list[low]), _mm256_castps256_ps128(row));
        _mm_store_ps(base + stride * int64_t(list[low + 4]), _mm256_extractf128_ps(row, 1));
    };
    put(x, 0), put(y, 1), put(z, 2), put(w, 3);
}
PURL_HD inline Floats gather(const float* base, const int* list) {
    const auto four = [&](int k) {
        return _mm_setr_ps(base[list[k]], base[list[k + 1]], base[list[k + 2]], base[list[k + 3]]);
    };
    return _mm256_insertf128_ps(_mm256_castps128_ps256(four(0)), four(4), 1);
}
PURL_HD inline Ints gather(const int* base, const int* list) {
    return _mm256_setr_epi32(base[list[0]], base[list[1]], base[list[2]], base[list[3]], base[list[4]], base[list[5]],
                             base[list[6]], base[list[7]]);
}
// Products of differences of two adjacent rows, summed: (x + z) + (y + w).
PURL_HD inline Floats dotOfDifferences(const float* base, const int* list, const float* own) {
    const __m256 mine = _mm256_loadu_ps(own);
    const auto difference = [&](int k) { return _mm256_sub_ps(mine, _mm256_load_ps(base + 8 * int64_t(list[k]))); };
    // Of neighbours k and k + 4, in one half each.
    const auto products = [&](int k) {
        const __m256 p = difference(k), q = difference(k + 4);
        return _mm256_mul_ps(_mm256_permute2f128_ps(p, q, 0x20), _mm256_permute2f128_ps(p, q, 0x31));
    };
    const auto halfSums = [&](__m256 p, __m256 q) {  // x₀+z₀ x₁+z₁ y₀+w₀ y₁+w₁
        return _mm256_add_ps(_mm256_unpacklo_ps(p, q), _mm256_unpackhi_ps(p, q));
    };
    const __m256 low = halfSums(products(0), products(1)), high = halfSums(products(2), products(3));
    return _mm256_add_ps(_mm256_shuffle_ps(low, high, _MM_SHUFFLE(1, 0, 1, 0)),
                         _mm256_shuffle_ps(low, high, _MM_SHUFFLE(3, 2, 3, 2)));
}
// Lane k of the result is lane order[k] of a.
PURL_HD inline void permute(const Floats (&a)[1], const uint8_t* order, Floats (&to)[1]) {
    const __m256i lanes = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(order)));
    to[0] = _mm256_permutevar8x32_ps(a[0], lanes);
}
// Eight points x₀y₀z₀x₁… by coordinate.
PURL_HD inline void loadPoints(const float* f, Floats& x, Floats& y, Floats& z) {
    const auto halves = [](const float* low, const float* high) {
        return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)), _mm_loadu_ps(high), 1);
    };
    const __m256 a = halves(f, f + 12);                                  // x₀y₀z₀x₁ | x₄…
    const __m256 b = halves(f + 4, f + 16);                              // y₁z₁x₂y₂
    const __m256 c = halves(f + 8, f + 20);                              // z₂x₃y₃z₃
    const __m256 xy = _mm256_shuffle_ps(b, c, _MM_SHUFFLE(2, 1, 3, 2));  // x₂y₂x₃y₃
    const __m256 yz = _mm256_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 2, 1));  // y₀z₀y₁z₁
    x = _mm256_shuffle_ps(a, xy, _MM_SHUFFLE(2, 0, 3, 0));
    y = _mm256_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0));
    z = _mm256_shuffle_ps(yz, c, _MM_SHUFFLE(3, 0, 3, 1));
}

#elif defined(PURL_REGISTERS_SSE2)

constexpr int kWidth = 4;
using Floats = __m128;
using Ints = __m128i;
using Mask = __m128;

PURL_HD inline Floats broadcast(float a) { return _mm_set1_ps(a); }
PURL_HD inline Floats load(const float* a) { return _mm_loadu_ps(a); }
PURL_HD inline void store(Floats a, float* to) { _mm_storeu_ps(to, a); }
PURL_HD inline Floats add(Floats a, Floats b) { return _mm_add_ps(a, b); }
PURL_HD inline Floats sub(Floats a, Floats b) { return _mm_sub_ps(a, b); }
PURL_HD inline Floats mul(Floats a, Floats b) { return _mm_mul_ps(a, b); }
PURL_HD inline Floats div(Floats a, Floats b) { return _mm_div_ps(a, b); }
PURL_HD inline Floats sqrt(Floats a) { return _mm_sqrt_ps(a); }
PURL_HD inline Floats min(Floats a, Floats b) { return _mm_min_ps(a, b); }
PURL_HD inline Floats max(Floats a, Floats b) { return _mm_max_ps(a, b); }
PURL_HD inline Floats negate(Floats a) { return _mm_xor_ps(a, _mm_set1_ps(-0.0f)); }
PURL_HD inline Floats abs(Floats a) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), a); }
PURL_HD inline Mask less(Floats a, Floats b) { return _mm_cmplt_ps(a, b); }
PURL_HD inline Mask lessEqual(Floats a, Floats b) { return _mm_cmple_ps(a, b); }
PURL_HD inline Mask equal(Floats a, Floats b) { return _mm_cmpeq_ps(a, b); }
PURL_HD inline Mask both(Mask a, Mask b) { return _mm_and_ps(a, b); }
PURL_HD inline Mask either(Mask a, Mask b) { return _mm_or_ps(a, b); }
PURL_HD inline Mask inverse(Mask a) { return _mm_xor_ps(a, _mm_castsi128_ps(_mm_set1_epi32(-1))); }
PURL_HD inline Floats select(Mask m, Floats a, Floats b) { return _mm_or_ps(_mm_and_ps(m, a), _mm_andnot_ps(m, b)); }
PURL_HD inline int bitsOf(Mask m) { return _mm_movemask_ps(m); }
PURL_HD inline Ints broadcast(int a) { return _mm_set1_epi32(a); }
PURL_HD inline Ints load(const int* a) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(a)); }
PURL_HD inline void store(Ints a, int* to) { _mm_storeu_si128(reinterpret_cast<__m128i*>(to), a); }
PURL_HD inline Ints add(Ints a, Ints b) { return _mm_add_epi32(a, b); }
PURL_HD inline Mask less(Ints a, Ints b) { return _mm_castsi128_ps(_mm_cmplt_epi32(a, b)); }
PURL_HD inline Mask equal(Ints a, Ints b) { return _mm_castsi128_ps(_mm_cmpeq_epi32(a, b)); }
PURL_HD inline Ints bits(Floats a) { return _mm_castps_si128(a); }
PURL_HD inline Floats fromBits(Ints a) { return _mm_castsi128_ps(a); }

    #ifdef __FMA__
PURL_HD inline Floats fma(Floats a, Floats b, Floats c) { return _mm_fmadd_ps(a, b, c); }
    #else
// fmaInDouble for two lanes.
PURL_HD inline __m128d fmaInDouble(__m128d a, __m128d b, __m128d c) {
    const __m128d product = _mm_mul_pd(a, b), sum = _mm_add_pd(product, c), zero = _mm_setzero_pd();
    const __m128d share = _mm_sub_pd(sum, product),
                  lost = _mm_add_pd(_mm_sub_pd(product, _mm_sub_pd(sum, share)), _mm_sub_pd(c, share));
    const __m128d isInexact = _mm_or_pd(_mm_cmplt_pd(lost, zero), _mm_cmpgt_pd(lost, zero));
    // The magnitude grows where the sum and what it lost have the same sign: one unit in the last place more or less.
    const __m128d differ = _mm_xor_pd(_mm_cmpgt_pd(lost, zero), _mm_cmpgt_pd(sum, zero));
    const __m128i one = _mm_set_epi32(0, 1, 0, 1), bits = _mm_castpd_si128(sum);
    const __m128i isEven = _mm_andnot_si128(bits, one);  // 1 where the last digit is even
    const __m128i amount = _mm_and_si128(isEven, _mm_castpd_si128(isInexact)), down = _mm_castpd_si128(differ);
    const __m128i change = _mm_sub_epi64(_mm_xor_si128(amount, down), down);  // −amount where they differ
    return _mm_castsi128_pd(_mm_add_epi64(bits, change));
}
PURL_HD inline Floats fma(Floats a, Floats b, Floats c) {
    const auto high = [](__m128 v) { return _mm_cvtps_pd(_mm_movehl_ps(v, v)); };
    const __m128 low = _mm_cvtpd_ps(fmaInDouble(_mm_cvtps_pd(a), _mm_cvtps_pd(b), _mm_cvtps_pd(c)));
    return _mm_movelh_ps(low, _mm_cvtpd_ps(fmaInDouble(high(a), high(b), high(c))));
}
    #endif
PURL_HD inline Floats fnma(Floats a, Floats b, Floats c) { return fma(negate(a), b, c); }

PURL_HD inline float sum(const Floats (&a)[2]) {
    const __m128 four = _mm_add_ps(a[0], a[1]), two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
}

PURL_HD inline void loadRows(const float* base, int stride, const int* list, Floats& x, Floats& y, Floats& z,
                             Floats& w) {
    const auto row = [&](int k) { return _mm_load_ps(base + stride * int64_t(list[k])); };
    x = row(0), y = row(1), z = row(2), w = row(3);
    _MM_TRANSPOSE4_PS(x, y, z, w);
}
PURL_HD inline void storeRows(Floats x, Floats y, Floats z, Floats w, float* base, int stride, const int* list) {
    _MM_TRANSPOSE4_PS(x, y, z, w);
    const auto put = [&](int k, __m128 row) { _mm_store_ps(base + stride * int64_t(list[k]), row); };
    put(0, x), put(1, y), put(2, z), put(3, w);
}
PURL_HD inline Ints gather(const int* base, const int* list) {
    return _mm_setr_epi32(base[list[0]], base[list[1]], base[list[2]], base[list[3]]);
}
PURL_HD inline Floats gather(const float* base, const int* list) {
    return _mm_setr_ps(base[list[0]], base[list[1]], base[list[2]], base[list[3]]);
}
PURL_HD inline void loadPoints(const float* f, Floats& x, Floats& y, Floats& z) {
    const __m128 a = _mm_loadu_ps(f), b = _mm_loadu_ps(f + 4), c = _mm_loadu_ps(f + 8);
    const __m128 xy = _mm_shuffle_ps(b, c, _MM_SHUFFLE(2, 1, 3, 2));  // x₂y₂x₃y₃
    const __m128 yz = _mm_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 2, 1));  // y₀z₀y₁z₁
    x = _mm_shuffle_ps(a, xy, _MM_SHUFFLE(2, 0, 3, 0));
    y = _mm_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0));
    z = _mm_shuffle_ps(yz, c, _MM_SHUFFLE(3, 0, 3, 1));
}

#elif defined(PURL_REGISTERS_NEON)

constexpr int kWidth = 4;
using Floats = float32x4_t;
using Ints = int32x4_t;
using Mask = uint32x4_t;

inline Floats broadcast(float a) { return vdupq_n_f32(a); }
inline Floats load(const float* a) { return vld1q_f32(a); }
inline void store(Floats a, float* to) { vst1q_f32(to, a); }
inline Floats add(Floats a, Floats b) { return vaddq_f32(a, b); }
inline Floats sub(Floats a, Floats b) { return vsubq_f32(a, b); }
inline Floats mul(Floats a, Floats b) { return vmulq_f32(a, b); }
inline Floats div(Floats a, Floats b) { return vdivq_f32(a, b); }
inline Floats sqrt(Floats a) { return vsqrtq_f32(a); }
// Not vminq_f32, which treats NaN and signed zeros in another way.
inline Floats min(Floats a, Floats b) { return vbslq_f32(vcltq_f32(a, b), a, b); }
inline Floats max(Floats a, Floats b) { return vbslq_f32(vcgtq_f32(a, b), a, b); }
inline Floats fma(Floats a, Floats b, Floats c) { return vfmaq_f32(c, a, b); }
inline Floats fnma(Floats a, Floats b, Floats c) { return vfmsq_f32(c, a, b); }
inline Floats negate(Floats a) { return vnegq_f32(a); }
inline Floats abs(Floats a) { return vabsq_f32(a); }
inline Mask less(Floats a, Floats b) { return vcltq_f32(a, b); }
inline Mask lessEqual(Floats a, Floats b) { return vcleq_f32(a, b); }
inline Mask equal(Floats a, Floats b) { return vceqq_f32(a, b); }
inline Mask both(Mask a, Mask b) { return vandq_u32(a, b); }
inline Mask either(Mask a, Mask b) { return vorrq_u32(a, b); }
inline Mask inverse(Mask a) { return vmvnq_u32(a); }
inline Floats select(Mask m, Floats a, Floats b) { return vbslq_f32(m, a, b); }
inline int bitsOf(Mask m) {
    const uint32x4_t places = {1, 2, 4, 8};
    return static_cast<int>(vaddvq_u32(vandq_u32(m, places)));
}
inline Ints broadcast(int a) { return vdupq_n_s32(a); }
inline Ints load(const int* a) { return vld1q_s32(a); }
inline void store(Ints a, int* to) { vst1q_s32(to, a); }
inline Ints add(Ints a, Ints b) { return vaddq_s32(a, b); }
inline Mask less(Ints a, Ints b) { return vcltq_s32(a, b); }
inline Mask equal(Ints a, Ints b) { return vceqq_s32(a, b); }
inline Ints bits(Floats a) { return vreinterpretq_s32_f32(a); }
inline Floats fromBits(Ints a) { return vreinterpretq_f32_s32(a); }

inline float sum(const Floats (&a)[2]) {
    const float32x4_t four = vaddq_f32(a[0], a[1]);
    const float32x2_t two = vadd_f32(vget_low_f32(four), vget_high_f32(four));
    return vget_lane_f32(two, 0) + vget_lane_f32(two, 1);
}

inline void transpose(Floats& a, Floats& b, Floats& c, Floats& d) {
    const float32x4x2_t ab = vtrnq_f32(a, b), cd = vtrnq_f32(c, d);
    a = vcombine_f32(vget_low_f32(ab.val[0]), vget_low_f32(cd.val[0]));
    b = vcombine_f32(vget_low_f32(ab.val[1]), vget_low_f32(cd.val[1]));
    c = vcombine_f32(vget_high_f32(ab.val[0]), vget_high_f32(cd.val[0]));
    d = vcombine_f32(vget_high_f32(ab.val[1]), vget_high_f32(cd.val[1]));
}
inline void loadRows(const float* base, int stride, const int* list, Floats& x, Floats& y, Floats& z, Floats& w) {
    const auto row = [&](int k) { return vld1q_f32(base + stride * int64_t(list[k])); };
    x = row(0), y = row(1), z = row(2), w = row(3);
    transpose(x, y, z, w);
}
inline void storeRows(Floats x, Floats y, Floats z, Floats w, float* base, int stride, const int* list) {
    transpose(x, y, z, w);
    const auto put = [&](int k, Floats row) { vst1q_f32(base + stride * int64_t(list[k]), row); };
    put(0, x), put(1, y), put(2, z), put(3, w);
}
inline Ints gather(const int* base, const int* list) {
    const int four[4] = {base[list[0]], base[list[1]], base[list[2]], base[list[3]]};
    return vld1q_s32(four);
}
inline Floats gather(const float* base, const int* list) {
    const float four[4] = {base[list[0]], base[list[1]], base[list[2]], base[list[3]]};
    return vld1q_f32(four);
}
inline void loadPoints(const float* f, Floats& x, Floats& y, Floats& z) {
    const float32x4x3_t points = vld3q_f32(f);
    x = points.val[0], y = points.val[1], z = points.val[2];
}

#else

constexpr int kWidth = 1;
using Floats = float;
using Ints = int;
using Mask = bool;

PURL_HD inline Floats broadcast(float a) { return a; }
PURL_HD inline Floats load(const float* a) { return *a; }
PURL_HD inline void store(Floats a, float* to) { *to = a; }
PURL_HD inline Floats add(Floats a, Floats b) { return a + b; }
PURL_HD inline Floats sub(Floats a, Floats b) { return a - b; }
PURL_HD inline Floats mul(Floats a, Floats b) { return a * b; }
PURL_HD inline Floats div(Floats a, Floats b) { return a / b; }
PURL_HD inline Floats sqrt(Floats a) { return std::sqrt(a); }
PURL_HD inline Floats min(Floats a, Floats b) { return a < b ? a : b; }
PURL_HD inline Floats max(Floats a, Floats b) { return a > b ? a : b; }
PURL_HD inline Floats fma(Floats a, Floats b, Floats c) { return purl::fma(a, b, c); }
PURL_HD inline Floats fnma(Floats a, Floats b, Floats c) { return purl::fma(-a, b, c); }
PURL_HD inline Floats negate(Floats a) { return -a; }
PURL_HD inline Floats abs(Floats a) { return std::fabs(a); }
PURL_HD inline Mask less(Floats a, Floats b) { return a < b; }
PURL_HD inline Mask lessEqual(Floats a, Floats b) { return a <= b; }
PURL_HD inline Mask equal(Floats a, Floats b) { return a == b; }
PURL_HD inline Mask both(Mask a, Mask b) { return a && b; }
PURL_HD inline Mask either(Mask a, Mask b) { return a || b; }
PURL_HD inline Mask inverse(Mask a) { return !a; }
PURL_HD inline Floats select(Mask m, Floats a, Floats b) { return m ? a : b; }
PURL_HD inline int bitsOf(Mask m) { return m ? 1 : 0; }
PURL_HD inline Ints broadcast(int a) { return a; }
PURL_HD inline Ints load(const int* a) { return *a; }
PURL_HD inline void store(Ints a, int* to) { *to = a; }
PURL_HD inline Ints add(Ints a, Ints b) { return a + b; }
PURL_HD inline Mask less(Ints a, Ints b) { return a < b; }
PURL_HD inline Mask equal(Ints a, Ints b) { return a == b; }
PURL_HD inline Ints bits(Floats a) {
    Ints all;
    std::memcpy(&all, &a, sizeof all);
    return all;
}
PURL_HD inline Floats fromBits(Ints a) {
    Floats value;
    std::memcpy(&value, &a, sizeof value);
    return value;
}

PURL_HD inline float sum(const Floats (&a)[8]) {
    return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
}
PURL_HD inline void loadRows(const float* base, int stride, const int* list, Floats& x, Floats& y, Floats& z,
                             Floats& w) {
    const float* const row = base + stride * int64_t(*list);
    x = row[0], y = row[1], z = row[2], w = row[3];
}
PURL_HD inline void storeRows(Floats x, Floats y, Floats z, Floats w, float* base, int stride, const int* list) {
    float* const row = base + stride * int64_t(*list);
    row[0] = x, row[1] = y, row[2] = z, row[3] = w;
}
PURL_HD inline Floats gather(const float* base, const int* list) { return base[*list]; }
PURL_HD inline Ints gather(const int* base, const int* list) { return base[*list]; }
PURL_HD inline void loadPoints(const float* f, Floats& x, Floats& y, Floats& z) { x = f[0], y = f[1], z = f[2]; }

#endif

constexpr int kParts = 8 / kWidth;  // registers that hold eight lanes

#ifndef PURL_REGISTERS_AVX2
// Products of differences of two adjacent rows, summed: (x + z) + (y + w).
PURL_HD inline Floats dotOfDifferences(const float* base, const int* list, const float* own) {
    Floats a[4], b[4];
    loadRows(base, 8, list, a[0], a[1], a[2], a[3]);
    loadRows(base + 4, 8, list, b[0], b[1], b[2], b[3]);
    for (int k = 0; k < 4; ++k) a[k] = mul(sub(broadcast(own[k]), a[k]), sub(broadcast(own[k + 4]), b[k]));
    return add(add(a[0], a[2]), add(a[1], a[3]));
}
// Lane k of the result is lane order[k] of a.
PURL_HD inline void permute(const Floats (&a)[kParts], const uint8_t* order, Floats (&to)[kParts]) {
    float from[8], put[8];
    for (int p = 0; p < kParts; ++p) store(a[p], from + p * kWidth);
    for (int k = 0; k < 8; ++k) put[k] = from[order[k]];
    for (int p = 0; p < kParts; ++p) to[p] = load(put + p * kWidth);
}
#endif

}  // namespace registers
}  // namespace purl
