// Elementary functions with the same bits on every machine: exp, log, pow, cbrt, sin, cos, tan, asin, acos, atan2,
// tgamma. A C library chooses its variant of them by the CPU it runs on, and every library rounds differently. These
// use nothing but IEEE +, −, ×, ÷, √ and integer operations in a fixed order; std::sqrt, floor, fabs, fma and fmod are
// exact anyway. No lookup by the bits of a result, no fma: a processor without it would emulate it slowly.
//
// Largest error found against long double (tests/solver/core/math_test.cpp), in units in the last place:
//   float:  0.51 for all of them. They compute in double and round once; pow, sin and cos for arguments of any size.
//   double: exp, log, sin, cos, cbrt, pow 1; atan2, asin, acos 2; tan 3; tgamma 4 for arguments of 1 to 3.
// Special arguments (zeros, infinities, NaN, subnormals) give the results of the C standard, annex F; no errno.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

#include "solver/core/platform.h"

namespace purl {

PURL_HD double pow(double x, double y);
PURL_HD float pow(float x, float y);

namespace elementary {

constexpr double kInfinity = HUGE_VAL;
constexpr double kLn2 = 0x1.62e42fefa39efp-1, kLog2e = 0x1.71547652b82fep+0;
constexpr double kLn2High = 0x1.62e42fefa3800p-1, kLn2Low = 0x1.ef35793c76730p-45;  // high: 42 bits, k × high is exact
constexpr double kPiHigh = 0x1.921fb54442d18p+1, kPiLow = 0x1.1a62633145c07p-53;
constexpr double kRound =
    0x1.8p52;  // t + kRound − kRound rounds t to an integer, which the last bits of t + kRound hold

PURL_HD inline int64_t bitsOf(double x) {
    int64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
}
PURL_HD inline double ofBits(int64_t bits) {
    double x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}
// 2^k, −1022 ≤ k ≤ 1023
PURL_HD inline double powerOfTwo(int64_t k) {
    return ofBits(static_cast<int64_t>(static_cast<uint64_t>(k + 1023) << 52));
}

// A sum of two doubles of which `low` is the rounding error of `high` (Dekker 1971).
struct Sum2 {
    double high, low;
};
PURL_HD inline Sum2 ordered(double a, double b) {  // a + b, |a| ≥ |b| or a = 0
    const double s = a + b;
    return {s, b - (s - a)};
}
PURL_HD inline Sum2 add(double a, double b) {
    const double s = a + b, t = s - a;
    return {s, (a - (s - t)) + (b - t)};
}
// The 26 leading bits of a, and the rest. |a| < 2^995
PURL_HD inline Sum2 halves(double a) {
    const double t = 134217729.0 * a, high = t - (t - a);
    return {high, a - high};
}
PURL_HD inline Sum2 multiply(double a, double b) {
    const double p = a * b;
    const Sum2 x = halves(a), y = halves(b);
    return {p, ((x.high * y.high - p) + x.high * y.low + x.low * y.high) + x.low * y.low};
}
PURL_HD inline Sum2 multiply(Sum2 a, Sum2 b) {
    const Sum2 p = multiply(a.high, b.high);
    return ordered(p.high, p.low + (a.high * b.low + a.low * b.high));
}
PURL_HD inline Sum2 add(Sum2 a, Sum2 b) {
    const Sum2 s = add(a.high, b.high);
    return ordered(s.high, s.low + (a.low + b.low));
}

// x = 2^exponent × fraction, √½ ≤ fraction < √2, for positive normal x.
struct Parts {
    double exponent, fraction;
};
PURL_HD inline Parts partsOf(double x) {
    const int64_t bits = bitsOf(x) - 0x3fe6a09e667f3bcd;  // √½
    const int64_t exponent = bits >> 52;
    return {static_cast<double>(exponent), ofBits(bitsOf(x) - exponent * (int64_t{1} << 52))};
}

// float: eˣ with a relative error of 3e-10, for results that are rounded to float. exp x = 2^k exp r, |r| ≤ ln 2 / 2
PURL_HD inline double roughExp(double x) {
    x = x < -120 ? -120 : x > 100 ? 100 : x;  // beyond, a float is 0 or infinite
    const double shifted = x * kLog2e + kRound, k = shifted - kRound, r = x - k * kLn2, z = r * r;
    const double high = (1.0 / 24 + r * (1.0 / 120)) + z * ((1.0 / 720 + r * (1.0 / 5040)) + z * (1.0 / 40320));
    return ((1 + r) + z * ((0.5 + r * (1.0 / 6)) + z * high)) * powerOfTwo(bitsOf(shifted) - bitsOf(kRound));
}

// float: ln x with a relative error of 3e-13, for positive normal doubles.
//     ln(2^k m) = k ln 2 + 2 artanh s,   s = (m − 1)/(m + 1)
PURL_HD inline double roughLog(double x) {
    const Parts parts = partsOf(x);
    const double s = (parts.fraction - 1) / (parts.fraction + 1), z = s * s, w = z * z;
    const double odd = 2.0 / 3 + w * (2.0 / 7 + w * (2.0 / 11 + w * (2.0 / 15)));
    const double even = 2.0 / 5 + w * (2.0 / 9 + w * (2.0 / 13));
    return parts.exponent * kLn2 + s * (2 + z * (odd + z * even));
}

// eʰ⁺ˡ for |l| ≤ 2⁻⁵² |h|
PURL_HD inline double expOf(Sum2 x) {
    if (!(x.high < 710)) return x.high > 0 ? kInfinity : x.high;  // NaN stays
    if (x.high < -746) return 0;
    const double shifted = x.high * kLog2e + kRound, k = shifted - kRound;
    const Sum2 rest = add(x.high - k * kLn2High, x.low - k * kLn2Low);
    const double r = rest.high;
    double p = 1.0 / 6227020800;
    p = 1.0 / 479001600 + r * p;
    p = 1.0 / 39916800 + r * p;
    p = 1.0 / 3628800 + r * p;
    p = 1.0 / 362880 + r * p;
    p = 1.0 / 40320 + r * p;
    p = 1.0 / 5040 + r * p;
    p = 1.0 / 720 + r * p;
    p = 1.0 / 120 + r * p;
    p = 1.0 / 24 + r * p;
    p = 1.0 / 6 + r * p;
    p = 0.5 + r * p;
    const double value = 1 + (r + (r * r * p + rest.low));
    const int64_t power = bitsOf(shifted) - bitsOf(kRound);
    const int64_t half = power / 2;  // 2^power may be beyond the range when the result is not
    return value * powerOfTwo(half) * powerOfTwo(power - half);
}

// ln x with a relative error of 2⁻⁶⁸, for positive finite x. The series of roughLog, its first three terms as sums of
// two.
PURL_HD inline Sum2 logOf(double x) {
    const bool subnormal = x < 0x1p-1022;
    const Parts parts = partsOf(subnormal ? x * 0x1p54 : x);
    const double exponent = subnormal ? parts.exponent - 54 : parts.exponent;
    const double f = parts.fraction - 1;
    const Sum2 sum = add(parts.fraction, 1.0);
    const double s = f / sum.high;
    const Sum2 back = multiply(s, sum.high);
    const Sum2 ratio = ordered(s, ((f - back.high) - back.low - s * sum.low) / sum.high);
    const Sum2 z = multiply(ratio, ratio);
    double tail = 2.0 / 27;
    tail = 2.0 / 25 + z.high * tail;
    tail = 2.0 / 23 + z.high * tail;
    tail = 2.0 / 21 + z.high * tail;
    tail = 2.0 / 19 + z.high * tail;
    tail = 2.0 / 17 + z.high * tail;
    tail = 2.0 / 15 + z.high * tail;
    tail = 2.0 / 13 + z.high * tail;
    tail = 2.0 / 11 + z.high * tail;
    tail = 2.0 / 9 + z.high * tail;
    tail = z.high * (2.0 / 7 + z.high * tail);
    const Sum2 fifth = add(Sum2{0x1.999999999999ap-2, -0x1.999999999999ap-56}, Sum2{tail, 0});  // 2/5
    const Sum2 third = add(Sum2{0x1.5555555555555p-1, 0x1.5555555555555p-55}, multiply(z, fifth));
    const Sum2 series = multiply(ratio, add(Sum2{2, 0}, multiply(z, third)));
    return add(add(Sum2{exponent * kLn2High, 0}, multiply(exponent, kLn2Low)), series);
}

// pow of arguments for which the general formula does not hold.
template <class Real>
PURL_HD inline Real specialPow(Real x, Real y) {
    const auto infinity = static_cast<Real>(kInfinity);
    if (y == 0 || x == 1) return 1;
    if (x != x || y != y) return x + y;
    const Real size = std::fabs(x);
    if (std::fabs(y) == infinity) return size == 1 ? Real(1) : (size > 1) == (y > 0) ? infinity : Real(0);
    const bool whole = std::floor(y) == y, odd = whole && std::floor(y / 2) != y / 2;
    if (size == 0 || size == infinity) {
        const Real result = (size == 0) == (y < 0) ? infinity : Real(0);
        return odd ? std::copysign(result, x) : result;
    }
    if (!whole) return (x - x) / (x - x);
    const Real result = pow(size, y);
    return odd ? -result : result;
}

// x = quadrant π/2 + r, |r| ≤ π/4
struct Angle {
    int quadrant;
    Sum2 r;
};

// The 32 bits from bit `lowest` on of an integer whose most significant word comes first.
template <int kCount>
PURL_HD inline uint32_t wordAt(const uint32_t (&words)[kCount], int lowest) {
    const int k = kCount - 1 - (lowest >> 5);
    const uint64_t left = k >= 1 ? words[k - 1] : 0;
    return static_cast<uint32_t>(((left << 32) | words[k]) >> (lowest & 31));
}

// Of finite x of any size: multiplies by those bits of 2/π that matter (Payne, Hanek 1983).
PURL_HD inline Angle hugeAngle(double x) {
    constexpr uint32_t kTwoByPi[] = {0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab,
                                     0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
                                     0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b,
                                     0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7,
                                     0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1,
                                     0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d};
    constexpr int kWords = 7;
    // |x| = mantissa 2^exponent. Words whose product is a multiple of 4 quadrants are skipped.
    const int64_t bits = bitsOf(x) & INT64_MAX;
    const int exponent = static_cast<int>(bits >> 52) - 1075;
    const uint64_t mantissa = static_cast<uint64_t>(bits & 0xfffffffffffff) | (uint64_t{1} << 52);
    const int first = exponent < 2 ? 0 : (exponent - 2) / 32;
    // product = mantissa × words, most significant word first, in units of 2^-shift quadrants
    const int shift = 32 * (first + kWords) - exponent;
    uint32_t product[kWords + 2] = {};
    uint64_t low = 0, high = 0;
    for (int k = kWords - 1; k >= 0; --k) {
        const uint64_t word = kTwoByPi[first + k];
        low = (mantissa & 0xffffffff) * word + low;
        const uint64_t carry = (mantissa >> 32) * word + high + (low >> 32);
        product[k + 2] = static_cast<uint32_t>(low);
        low = carry & 0xffffffff;
        high = carry >> 32;
    }
    product[1] = static_cast<uint32_t>(low);
    product[0] = static_cast<uint32_t>(high);
    int quadrant = static_cast<int>(wordAt<kWords + 2>(product, shift) & 3);
    uint32_t turned[5];  // the bits behind the point: turned[k] has the weight 2^(−32 (k + 1))
    for (int k = 0; k < 5; ++k) turned[k] = wordAt<kWords + 2>(product, shift - 32 * (k + 1));
    const bool up = turned[0] >> 31;  // past the middle of the quadrant: the next one, less 1 − fraction
    if (up) {
        ++quadrant;
        for (uint32_t& word : turned) word = ~word;
    }
    Sum2 fraction{0, 0};
    double weight = 0x1p-32;
    for (const uint32_t word : turned) {
        const Sum2 sum = ordered(fraction.high, word * weight);
        fraction = ordered(sum.high, fraction.low + sum.low);
        weight *= 0x1p-32;
    }
    Sum2 r = multiply(fraction, Sum2{0.5 * kPiHigh, 0.5 * kPiLow});
    if (up != (x < 0)) r = {-r.high, -r.low};
    return {(x < 0 ? -quadrant : quadrant) & 3, r};
}

// Subtracts quadrant × π/2 in parts that make the products exact (Cody, Waite 1980).
PURL_HD inline Angle angleOf(double x) {
    if (!(std::fabs(x) < 0x1p20)) return hugeAngle(x);
    const double shifted = x * (1 / (0.5 * kPiHigh)) + kRound, k = shifted - kRound;
    const double high = x - k * 0x1.921fb544p+0, middle = k * 0x1.0b4611a6p-34;  // 33 bits each; the first is exact
    const Sum2 rest = add(high, -middle);
    if (k != 0 && std::fabs(rest.high) < 0x1p-20) return hugeAngle(x);
    return {static_cast<int>(bitsOf(shifted) & 3), ordered(rest.high, rest.low - k * 0x1.3198a2e037073p-69)};
}
PURL_HD inline Angle roughAngle(double x) {
    if (!(std::fabs(x) < 0x1p17)) return hugeAngle(x);
    const double shifted = x * (1 / (0.5 * kPiHigh)) + kRound, k = shifted - kRound;
    return {static_cast<int>(bitsOf(shifted) & 3), {(x - k * 0x1.921fb544p+0) - k * 0x1.0b4611a626331p-34, 0}};
}

// Taylor series on |r| ≤ π/4.
PURL_HD inline double sinOf(Sum2 r) {
    const double z = r.high * r.high;
    double p = 1.0 / 355687428096000;  // 17!
    p = -1.0 / 1307674368000 + z * p;
    p = 1.0 / 6227020800 + z * p;
    p = -1.0 / 39916800 + z * p;
    p = 1.0 / 362880 + z * p;
    p = -1.0 / 5040 + z * p;
    p = 1.0 / 120 + z * p;
    p = -1.0 / 6 + z * p;
    return r.high + (r.high * z * p + r.low * (1 - 0.5 * z));
}
PURL_HD inline double cosOf(Sum2 r) {
    const double z = r.high * r.high, half = 0.5 * z, most = 1 - half;
    double p = 1.0 / 20922789888000;  // 16!
    p = -1.0 / 87178291200 + z * p;
    p = 1.0 / 479001600 + z * p;
    p = -1.0 / 3628800 + z * p;
    p = 1.0 / 40320 + z * p;
    p = -1.0 / 720 + z * p;
    p = 1.0 / 24 + z * p;
    return most + (((1 - most) - half) + (z * z * p - r.high * r.low));
}
PURL_HD inline double roughSin(double r) {
    const double z = r * r, w = z * z;
    const double low = -1.0 / 6 + z * (1.0 / 120), high = -1.0 / 5040 + z * (1.0 / 362880);
    return r * (1 + z * (low + w * (high - w * (1.0 / 39916800))));  // keeps the sign of −0
}
PURL_HD inline double roughCos(double r) {
    const double z = r * r, w = z * z;
    const double low = 1.0 / 24 - z * (1.0 / 720), high = 1.0 / 40320 - z * (1.0 / 3628800);
    return (1 - 0.5 * z) + w * (low + w * (high + w * (1.0 / 479001600)));
}

// arctan(k/8), high and low part.
PURL_HD inline Sum2 arctanOfEighths(int k) {
    constexpr double kHigh[] = {0x0.0p+0,
                                0x1.fd5ba9aac2f6ep-4,
                                0x1.f5b75f92c80ddp-3,
                                0x1.6f61941e4def1p-2,
                                0x1.dac670561bb4fp-2,
                                0x1.1e00babdefeb4p-1,
                                0x1.4978fa3269ee1p-1,
                                0x1.700a7c5784634p-1,
                                0x1.921fb54442d18p-1};
    constexpr double kLow[] = {0x0.0p+0,
                               -0x1.cd37686760c17p-59,
                               0x1.8ab6e3cf7afbdp-57,
                               -0x1.c63aae6f6e918p-56,
                               0x1.a2b7f222f65e2p-56,
                               -0x1.928df287a668fp-58,
                               0x1.2419a87f2a458p-56,
                               -0x1.8c34d25aadef6p-56,
                               0x1.1a62633145c07p-55};
    return {kHigh[k], kLow[k]};
}
// The angle of (x, y) from the ratio of the smaller to the larger; neither NaN, not both 0 or infinite.
//     arctan t = arctan c + arctan u,   u = (t − c)/(1 + t c),   c = k/8, the nearest to t
PURL_HD inline double angleTo(double y, double x, int k, bool rough) {
    const double ay = std::fabs(y), ax = std::fabs(x);
    const bool steep = ay > ax;
    const double small = steep ? ax : ay, big = steep ? ay : ax, c = 0.125 * k;
    const double u = (small - c * big) / (big + c * small), z = u * u;
    double p = 1.0 / 9;
    if (!rough) p -= z * (1.0 / 11 - z * (1.0 / 13));
    p = -1.0 / 3 + z * (1.0 / 5 - z * (1.0 / 7 - z * p));
    const Sum2 base = arctanOfEighths(k);
    double angle = base.high + (u + (u * z * p + base.low));
    if (steep) angle = 0.5 * kPiHigh - (angle - 0.5 * kPiLow);
    if (x < 0) angle = kPiHigh - (angle - kPiLow);
    return std::copysign(angle, y);
}
// atan2 of arguments that are both 0, or of which one is infinite or NaN: a multiple of π/4.
template <class Real>
PURL_HD inline Real specialAtan2(Real y, Real x) {
    if (x != x || y != y) return x + y;
    const Real ay = std::fabs(y), ax = std::fabs(x);
    const double angle = (ay > ax ? 0.5 : ay == ax && ax > 0 ? 0.25 : 0) * kPiHigh;
    return static_cast<Real>(std::copysign(std::signbit(x) ? kPiHigh - angle : angle, static_cast<double>(y)));
}

// (arcsin(√z)/√z − 1)/z on 0 ≤ z ≤ ¼, with an error of 5e-12: interpolated at the zeros of a Chebyshev polynomial.
PURL_HD inline double roughArcsine(double z) {
    const double w = z * z;
    const double first = 0x1.555555555ba9ep-3 + z * 0x1.333333133277ep-4;
    const double second = 0x1.6db6f5e9d0b98p-5 + z * 0x1.f1beb9c867b18p-6;
    const double third = 0x1.6f347e4a44c5dp-6 + z * 0x1.14eefea06d8d9p-6;
    const double fourth = 0x1.144d1f0d0554dp-6 + z * 0x1.17d722d86d4bep-10;
    return first + w * (second + w * (third + w * (fourth + w * 0x1.d06eddee004bep-6)));
}

}  // namespace elementary

PURL_HD inline double exp(double x) { return elementary::expOf({x, 0}); }

PURL_HD inline double log(double x) {
    if (!(x > 0)) return x == 0 ? -elementary::kInfinity : (x - x) / (x - x);
    return x == elementary::kInfinity ? x : elementary::logOf(x).high;
}

// x^y = e^(y ln x)
PURL_HD inline double pow(double x, double y) {
    using namespace elementary;
    if (!(x > 0 && x < kInfinity && std::fabs(y) < kInfinity)) return specialPow(x, y);
    const Sum2 logarithm = logOf(x);
    const double power = y * logarithm.high;
    return std::fabs(power) < 1000 ? expOf(multiply(logarithm, Sum2{y, 0})) : exp(power);
}

// y ← y (y³ + 2x)/(2y³ + x), Halley's iteration; then one of Newton with the exact remainder.
PURL_HD inline double cbrt(double x) {
    using namespace elementary;
    const double size = std::fabs(x);
    if (!(size > 0 && size < kInfinity)) return x;
    if (size < 0x1p-1000) return cbrt(x * 0x1p300) * 0x1p-100;
    const int64_t thirds = (bitsOf(size) >> 52) / 3, back = thirds - 341;  // size = 8^back × 1 … 8
    const double m = size * powerOfTwo(back > 0 ? -3 * back + 1 : -3 * back) * (back > 0 ? 0.5 : 1);
    double y = 0.75 + m * (0.27 - 0.0125 * m);
    for (int k = 0; k < 3; ++k) {
        const double cube = y * y * y;
        y *= (cube + 2 * m) / (2 * cube + m);
    }
    const Sum2 square = multiply(y, y), cube = multiply(y, square.high);
    y -= ((cube.high - m) + (cube.low + y * square.low)) / (3 * square.high);
    return std::copysign(y * powerOfTwo(back), x);
}

PURL_HD inline double sin(double x) {
    if (!(std::fabs(x) < elementary::kInfinity)) return x - x;
    if (std::fabs(x) < 0x1p-27) return x;
    const elementary::Angle angle = elementary::angleOf(x);
    const double value = angle.quadrant & 1 ? elementary::cosOf(angle.r) : elementary::sinOf(angle.r);
    return angle.quadrant & 2 ? -value : value;
}
PURL_HD inline double cos(double x) {
    if (!(std::fabs(x) < elementary::kInfinity)) return x - x;
    const elementary::Angle angle = elementary::angleOf(x);
    const double value = angle.quadrant & 1 ? elementary::sinOf(angle.r) : elementary::cosOf(angle.r);
    return (angle.quadrant + 1) & 2 ? -value : value;
}
PURL_HD inline double tan(double x) { return sin(x) / cos(x); }

PURL_HD inline double atan2(double y, double x) {
    const double ay = std::fabs(y), ax = std::fabs(x);
    const double big = ay > ax ? ay : ax, small = ay > ax ? ax : ay;
    if (!(big > 0 && big < elementary::kInfinity && small >= 0)) return elementary::specialAtan2(y, x);
    if (big > 0x1p1000 || big < 0x1p-900) {
        const double scale = big > 1 ? 0x1p-100 : 0x1p100;
        return atan2(y * scale, x * scale);
    }
    return elementary::angleTo(y, x, static_cast<int>(8 * (small / big) + 0.5), false);
}
PURL_HD inline double asin(double x) { return atan2(x, std::sqrt((1 - x) * (1 + x))); }
PURL_HD inline double acos(double x) { return atan2(std::sqrt((1 - x) * (1 + x)), x); }

// 1/Γ has no poles: its polynomial on 1 … 2, and Γ(x + 1) = x Γ(x). For x > 0; NaN otherwise.
PURL_HD inline double tgamma(double x) {
    if (!(x > 0)) return x == 0 ? 1 / x : elementary::kInfinity - elementary::kInfinity;
    if (x > 172) return elementary::kInfinity;
    double factor = 1;
    for (; x > 2; factor *= x) x -= 1;
    for (; x < 1; x += 1) factor /= x;
    constexpr double kInverse[] = {0x1.20dd750429b6dp+0,  -0x1.514d3d90584b3p-5, -0x1.0da5a671c048ap-1,
                                   0x1.669be41a9388dp-3,  0x1.a18540be32cb0p-5,  -0x1.5955cc3971e04p-5,
                                   0x1.b16203e5e2607p-8,  0x1.15f7f06059362p-9,  -0x1.232bd878a5ef6p-10,
                                   0x1.3f84607e206fbp-13, 0x1.a963c57849819p-16, -0x1.d24ce84e43604p-17,
                                   0x1.2166db6de81dcp-19, 0x1.f2d1ef981b484p-25, -0x1.7efb9c9a91b70p-24,
                                   0x1.20da203cf8f4bp-26, -0x1.d47df5e91a073p-31};
    double inverse = 0;
    for (int k = 16; k >= 0; --k) inverse = kInverse[k] + (x - 1.5) * inverse;
    return factor / inverse;
}

PURL_HD inline float exp(float x) { return static_cast<float>(elementary::roughExp(x)); }

PURL_HD inline float log(float x) {
    if (!(x > 0)) return x == 0 ? -HUGE_VALF : (x - x) / (x - x);
    return x == HUGE_VALF ? x : static_cast<float>(elementary::roughLog(x));
}

PURL_HD inline float pow(float x, float y) {
    if (!(x > 0 && x < HUGE_VALF && std::fabs(y) < HUGE_VALF)) return elementary::specialPow(x, y);
    return static_cast<float>(elementary::roughExp(y * elementary::roughLog(x)));
}

PURL_HD inline float cbrt(float x) { return static_cast<float>(cbrt(static_cast<double>(x))); }

// Both series, for a quadrant is hard to predict.
PURL_HD inline float sin(float x) {
    if (!(std::fabs(x) < HUGE_VALF)) return x - x;
    const elementary::Angle angle = elementary::roughAngle(x);
    const double s = elementary::roughSin(angle.r.high), c = elementary::roughCos(angle.r.high);
    const double values[] = {s, c, -s, -c};
    return static_cast<float>(values[angle.quadrant]);
}
PURL_HD inline float cos(float x) {
    if (!(std::fabs(x) < HUGE_VALF)) return x - x;
    const elementary::Angle angle = elementary::roughAngle(x);
    const double s = elementary::roughSin(angle.r.high), c = elementary::roughCos(angle.r.high);
    const double values[] = {c, -s, -c, s};
    return static_cast<float>(values[angle.quadrant]);
}

// arccos x = π/2 − arcsin x;   2 arcsin √((1 − x)/2) near 1
PURL_HD inline float acos(float x) {
    using namespace elementary;
    const double size = std::fabs(x);
    if (!(size <= 1)) return (x - x) / (x - x);
    if (size <= 0.5) {
        const double s = x, z = s * s;
        return static_cast<float>(0.5 * kPiHigh - (s + s * z * roughArcsine(z)));
    }
    const double z = 0.5 * (1 - size), s = std::sqrt(z), angle = 2 * (s + s * z * roughArcsine(z));
    return static_cast<float>(x > 0 ? angle : kPiHigh - angle);
}

PURL_HD inline float atan2(float y, float x) {
    const float ay = std::fabs(y), ax = std::fabs(x);
    const float big = ay > ax ? ay : ax, small = ay > ax ? ax : ay;
    if (!(big > 0 && big < HUGE_VALF && small >= 0)) return elementary::specialAtan2(y, x);
    return static_cast<float>(elementary::angleTo(y, x, static_cast<int>(8 * (small / big) + 0.5f), true));
}

}  // namespace purl
