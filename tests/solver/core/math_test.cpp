// Purl's own elementary functions against the C library's in long double.
#include "solver/core/math.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "solver/core/hash.h"
#include "solver/core/random.h"

namespace purl {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Distance in units in the last place of Real at `right`. Near its smallest numbers that is the spacing of subnormals.
template <class Real>
long double ulps(Real got, long double right) {
    using Limits = std::numeric_limits<Real>;
    if (std::isnan(right)) return std::isnan(got) ? 0 : 1e9L;
    const Real rounded = static_cast<Real>(right);
    if (std::isinf(got) || std::isinf(rounded)) return got == rounded ? 0 : 1e9L;
    int exponent;
    std::frexp(right, &exponent);
    exponent = std::max(exponent, Limits::min_exponent);
    return std::fabs(static_cast<long double>(got) - right) / std::ldexp(1.0L, exponent - Limits::digits);
}

template <class Real>
struct Worst {
    long double error = 0;
    Real x = 0, y = 0;

    void see(Real got, long double right, Real atX, Real atY = 0) {
        const long double found = ulps(got, right);
        if (found > error) error = found, x = atX, y = atY;
    }
    std::string where() const {
        char text[100];
        std::snprintf(text, sizeof text, "%.3f ulp at %.17g, %.17g", double(error), double(x), double(y));
        return text;
    }
};

// Uniform in [low, high].
double between(double low, double high, uint64_t seed, uint64_t index) {
    const double unit = (randomBits(seed, 2 * index) + randomBits(seed, 2 * index + 1) * 0x1p-32) * 0x1p-32;
    return low + unit * (high - low);
}
// Of any sign and magnitude between 2^low and 2^high.
double anySize(double low, double high, uint64_t seed, uint64_t index) {
    const double size = std::exp2(between(low, high, seed, index));
    return randomBits(seed + 1, index) & 1 ? size : -size;
}

constexpr int kSamples = 200000;

template <class Real, class Got, class Right>
void expectWithin(double limit, double low, double high, const Got& got, const Right& right) {
    Worst<Real> worst;
    for (int k = 0; k < kSamples; ++k) {
        const auto x = static_cast<Real>(between(low, high, 1, static_cast<uint64_t>(k)));
        worst.see(got(x), right(static_cast<long double>(x)), x);
    }
    EXPECT_LE(worst.error, limit) << worst.where() << " of [" << low << ", " << high << "]";
}

template <class Real, class Got, class Right>
void expectWithinForAnySize(double limit, double low, double high, const Got& got, const Right& right) {
    Worst<Real> worst;
    for (int k = 0; k < kSamples; ++k) {
        const auto x = static_cast<Real>(anySize(low, high, 3, static_cast<uint64_t>(k)));
        worst.see(got(x), right(static_cast<long double>(x)), x);
    }
    EXPECT_LE(worst.error, limit) << worst.where() << " of sizes 2^" << low << " to 2^" << high;
}

#define FUNCTION(f) [](auto x) { return f(x); }

TEST(Math, expIsWithinItsStatedError) {
    expectWithin<float>(0.51, -104, 89, FUNCTION(purl::exp), FUNCTION(std::exp));
    expectWithin<float>(0.51, -1, 1, FUNCTION(purl::exp), FUNCTION(std::exp));
    expectWithin<double>(1, -746, 710, FUNCTION(purl::exp), FUNCTION(std::exp));
    expectWithin<double>(1, -1, 1, FUNCTION(purl::exp), FUNCTION(std::exp));
    expectWithinForAnySize<double>(1, -1074, 10, FUNCTION(purl::exp), FUNCTION(std::exp));
}

TEST(Math, logIsWithinItsStatedError) {
    const auto ofSize = FUNCTION(purl::log);
    expectWithin<float>(0.51, 0.5, 2, ofSize, FUNCTION(std::log));
    expectWithin<double>(1, 0.5, 2, ofSize, FUNCTION(std::log));
    expectWithin<double>(1, 1 - 1e-9, 1 + 1e-9, ofSize, FUNCTION(std::log));
    expectWithinForAnySize<float>(0.51, -149, 128, ofSize, FUNCTION(std::log));
    expectWithinForAnySize<double>(1, -1074, 1023, ofSize, FUNCTION(std::log));
}

TEST(Math, cbrtIsWithinItsStatedError) {
    expectWithinForAnySize<float>(0.51, -149, 127, FUNCTION(purl::cbrt), FUNCTION(std::cbrt));
    expectWithinForAnySize<double>(1, -1074, 1023, FUNCTION(purl::cbrt), FUNCTION(std::cbrt));
}

TEST(Math, sinAndCosAreWithinTheirStatedErrorForArgumentsOfAnySize) {
    const auto sine = FUNCTION(purl::sin);
    const auto cosine = FUNCTION(purl::cos);
    const auto tangent = FUNCTION(purl::tan);
    expectWithin<float>(0.51, -8, 8, sine, FUNCTION(std::sin));
    expectWithin<float>(0.51, -8, 8, cosine, FUNCTION(std::cos));
    expectWithin<double>(1, -8, 8, sine, FUNCTION(std::sin));
    expectWithin<double>(1, -8, 8, cosine, FUNCTION(std::cos));
    expectWithin<double>(3, -8, 8, tangent, FUNCTION(std::tan));
    // Of larger doubles the x87 unit's π is too short; the C library's is not.
    expectWithinForAnySize<float>(0.51, -149, 127, sine, FUNCTION(std::sin));
    expectWithinForAnySize<float>(0.51, -149, 127, cosine, FUNCTION(std::cos));
    expectWithinForAnySize<double>(1, -1074, 1023, sine, FUNCTION(std::sin));
    expectWithinForAnySize<double>(1, -1074, 1023, cosine, FUNCTION(std::cos));
    // The doubles nearest to multiples of π/2: the subtraction leaves least of them.
    Worst<double> sinWorst, cosWorst;
    for (uint64_t k = 1; k < kSamples; ++k) {
        const double x = static_cast<double>(static_cast<long double>(k * (k < 1000 ? 1 : k % 99991)) *
                                             1.57079632679489661923132169163975144L);
        sinWorst.see(purl::sin(x), std::sin(static_cast<long double>(x)), x);
        cosWorst.see(purl::cos(x), std::cos(static_cast<long double>(x)), x);
    }
    EXPECT_LE(sinWorst.error, 1) << sinWorst.where();
    EXPECT_LE(cosWorst.error, 1) << cosWorst.where();
    // 6381956970095103 × 2^797 is 4.7e-19 from a multiple of π/2, nearer than any other double (Muller 2006).
    const double nearest = std::ldexp(6381956970095103.0, 797);
    EXPECT_LE(ulps(purl::cos(nearest), std::cos(static_cast<long double>(nearest))), 1);
}

TEST(Math, inverseFunctionsAreWithinTheirStatedError) {
    expectWithin<float>(0.51, -1, 1, FUNCTION(purl::acos), FUNCTION(std::acos));
    expectWithin<float>(0.51, 0.9999, 1, FUNCTION(purl::acos), FUNCTION(std::acos));
    expectWithin<double>(2, -1, 1, FUNCTION(purl::acos), FUNCTION(std::acos));
    expectWithin<double>(2, -1, 1, FUNCTION(purl::asin), FUNCTION(std::asin));
    Worst<float> single;
    Worst<double> twice;
    for (uint64_t k = 0; k < kSamples; ++k) {
        const double reach = k % 2 ? 8 : 140;
        const auto y = static_cast<float>(anySize(-reach, 0.9 * reach, 5, k)),
                   x = static_cast<float>(anySize(-reach, 0.9 * reach, 7, k));
        single.see(purl::atan2(y, x), std::atan2(static_cast<long double>(y), static_cast<long double>(x)), y, x);
        const double wide = k % 2 ? 8 : 1020;
        const double b = anySize(-wide, wide, 9, k), a = anySize(-wide, wide, 11, k);
        twice.see(purl::atan2(b, a), std::atan2(static_cast<long double>(b), static_cast<long double>(a)), b, a);
    }
    EXPECT_LE(single.error, 0.51) << single.where();
    EXPECT_LE(twice.error, 2) << twice.where();
}

TEST(Math, powIsWithinItsStatedError) {
    Worst<float> single;
    Worst<double> twice;
    for (uint64_t k = 0; k < kSamples; ++k) {
        // Exponents that keep the result in range, up to its ends.
        const double base = std::fabs(anySize(k % 3 ? -4 : -1070, k % 3 ? 4 : 1020, 13, k));
        const double exponent = between(-1080, 1030, 15, k) / std::log2(base);
        twice.see(purl::pow(base, exponent),
                  std::pow(static_cast<long double>(base), static_cast<long double>(exponent)), base, exponent);
        const auto b = static_cast<float>(std::fabs(anySize(k % 3 ? -4 : -148, k % 3 ? 4 : 127, 17, k))),
                   e = static_cast<float>(between(-150, 129, 19, k) / std::log2(b));
        single.see(purl::pow(b, e), std::pow(static_cast<long double>(b), static_cast<long double>(e)), b, e);
    }
    EXPECT_LE(single.error, 0.51) << single.where();
    EXPECT_LE(twice.error, 1) << twice.where();
    // Powers that a double can hold are exact: the error before the last rounding is far below half a unit.
    for (int base = 1; base <= 100; ++base) {
        double right = 1;
        for (int k = 0; k <= 7; ++k, right *= base) EXPECT_EQ(purl::pow(double(base), double(k)), right);
    }
}

TEST(Math, tgammaIsWithinItsStatedError) {
    expectWithin<double>(4, 1, 3, FUNCTION(purl::tgamma), FUNCTION(std::tgamma));
    // Further away the recurrence adds an error each step.
    expectWithin<double>(200, 0.001, 170, FUNCTION(purl::tgamma), FUNCTION(std::tgamma));
}

// Same value, or both NaN; zeros of the same sign.
template <class Real>
void expectSame(Real got, Real right, const char* what, Real x, Real y = 0) {
    EXPECT_TRUE((got == right && std::signbit(got) == std::signbit(right)) || (std::isnan(got) && std::isnan(right)))
        << what << "(" << x << ", " << y << ") = " << got << ", not " << right;
}

template <class Real>
void expectSpecialValues() {
    using Limits = std::numeric_limits<Real>;
    const Real infinity = Limits::infinity(), nan = Limits::quiet_NaN();
    for (const Real x : {Real(0), -Real(0), infinity, -infinity, nan, Real(1), Real(-1)}) {
        expectSame(purl::exp(x), x == 1 || x == -1 ? purl::exp(x) : std::exp(x), "exp", x);
        expectSame(purl::log(x), std::log(x), "log", x);
        expectSame(purl::cbrt(x), std::cbrt(x), "cbrt", x);
        if (std::fabs(x) != 1) {
            expectSame(purl::sin(x), std::sin(x), "sin", x);
            expectSame(purl::cos(x), std::cos(x), "cos", x);
        }
        expectSame(purl::acos(x), std::acos(x), "acos", x);
    }
    expectSame(purl::exp(Real(2000)), infinity, "exp", Real(2000));
    expectSame(purl::exp(Real(-2000)), Real(0), "exp", Real(-2000));
    expectSame(purl::acos(Real(2)), nan, "acos", Real(2));
    const Real all[] = {0,
                        -Real(0),
                        1,
                        -1,
                        2,
                        -2,
                        3,
                        -3,
                        Real(0.5),
                        -Real(0.5),
                        infinity,
                        -infinity,
                        nan,
                        Limits::max(),
                        -Limits::max(),
                        Limits::denorm_min(),
                        -Limits::denorm_min()};
    for (const Real x : all)
        for (const Real y : all) {
            // 2 ulp: these results are powers of two and multiples of π/4, exact in either library but for π
            const Real power = purl::pow(x, y), angle = purl::atan2(x, y);
            const Real rightPower = std::pow(x, y), rightAngle = std::atan2(x, y);
            if (ulps(power, rightPower) > 1 || rightPower == 0) expectSame(power, rightPower, "pow", x, y);
            if (ulps(angle, rightAngle) > 1 || rightAngle == 0) expectSame(angle, rightAngle, "atan2", x, y);
        }
}

TEST(Math, specialValuesAreThoseOfTheStandard) {
    expectSpecialValues<float>();
    expectSpecialValues<double>();
    expectSame(purl::asin(2.0), kNaN, "asin", 2.0);
    expectSame(purl::tgamma(0.0), kInf, "tgamma", 0.0);
    expectSame(purl::tgamma(200.0), kInf, "tgamma", 200.0);
    expectSame(purl::tgamma(kInf), kInf, "tgamma", kInf);
    expectSame(purl::tgamma(-1.5), kNaN, "tgamma", -1.5);  // not needed, and said so
}

// The hash was computed on x86-64 with AVX2. Another one means that results of scenes differ between machines too.
TEST(Math, hasTheSameBitsOnEveryMachine) {
    Hash hash;
    for (uint64_t k = 0; k < 20000; ++k) {
        const auto unit = static_cast<double>(randomBits(21, k)) * 0x1p-32;
        const double x = 40 * unit - 20, positive = 100 * unit * unit + 1e-9,
                     other = 3 - 6 * static_cast<double>(randomBits(23, k)) * 0x1p-32;
        for (const double value : {purl::exp(x), purl::log(positive), purl::pow(positive, other), purl::cbrt(x),
                                   purl::sin(x * x * x), purl::cos(x * 1e9), purl::tan(x), purl::asin(x / 20),
                                   purl::acos(x / 20), purl::atan2(x, other), purl::tgamma(1 + unit)})
            hash.add(value);
        const auto a = static_cast<float>(x), b = static_cast<float>(positive), c = static_cast<float>(other);
        for (const float value : {purl::exp(a), purl::log(b), purl::pow(b, c), purl::cbrt(a), purl::sin(a * a * a),
                                  purl::cos(a * 1e9f), purl::acos(a / 20), purl::atan2(a, c)})
            hash.add(value);
    }
    EXPECT_EQ(toHex(hash.value()), "0d2f327c86851285");
}

}  // namespace
}  // namespace purl
