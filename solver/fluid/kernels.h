// Smoothing kernels and their derivatives in 3D and 2D: poly6, spiky and viscosity of Müller 2003 (Kelager §4, §4.2),
// the cubic spline of Monaghan 1992 and Wendland's C² of 1995. Each stores its constant factors, computed once from the
// support radius h, and is zero for r ≥ h. d = xᵢ − xⱼ, r = |d|; a gradient is gradientFactor times d.
// shape and slope are value and gradientFactor without their constant factors, which loops over pairs apply to the sum;
// F is float or Lanes. They are finite at r = 0. shapeAt takes r² for every kernel.
//
// Used by:
//   poly6      density of wcsph, colour field of every solver
//   spiky      pressure of wcsph; optionally its density too (Güdükbay 2012). Desbrun and Cani's kernel is the same,
//              parameterized by half the support: (2 − r/h)³ is (2h − r)³/h³
//   viscosity  viscosity of every solver
//   spline     pbf and dfsph; optionally wcsph
//   wendland   optionally wcsph
// Derivatives that no solver uses complete the set and are covered by the same tests.
#pragma once
#include <cmath>

#include "solver/core/lanes.h"
#include "solver/core/math.h"
#include "solver/core/vec.h"

namespace purl {

constexpr double kPi = 3.14159265358979323846;

// xⁿ, for the kernels' constants.
inline double power(double x, int n) { return n > 0 ? x * power(x, n - 1) : 1; }

// For density, colour field, surface normals and curvature. Needs only r². Its gradient vanishes at r = 0, so it is
// unsuitable for pressure.
struct Poly6 {
    float h2 = 0;                               // m²
    float value = 0, gradient = 0;              // constant factors
    float laplaceFrom = 0, laplaceOutward = 0;  // D h² and D + 4, in D dimensions

    Poly6() = default;
    explicit Poly6(double h, int dimensions = 3) {
        h2 = static_cast<float>(h * h);
        // 315/(64π h⁹) in 3D, 4/(π h⁸) in 2D
        value = static_cast<float>((dimensions == 3 ? 315.0 / 64 : 4) / (kPi * power(h, 6 + dimensions)));
        gradient = static_cast<float>((dimensions == 3 ? -945.0 / 32 : -24) / (kPi * power(h, 6 + dimensions)));
        laplaceFrom = static_cast<float>(dimensions * h * h);
        laplaceOutward = static_cast<float>(dimensions + 4);
    }

    template <class F>
    PURL_HD F inside(F r2) const {
        return max(F(h2) - r2, F(0.0f));
    }
    template <class F>
    PURL_HD F shape(F r2) const {
        const F q = inside(r2);
        return q * q * q;
    }
    template <class F>
    PURL_HD F shapeAt(F r2) const {
        return shape(r2);
    }
    template <class F>
    PURL_HD F slope(F r2) const {
        const F q = inside(r2);
        return q * q;
    }
    // The laplacian without its factor `gradient`.
    template <class F>
    PURL_HD F bend(F r2) const {
        return inside(r2) * fnma(F(laplaceOutward), r2, F(laplaceFrom));
    }
    // W = 315/(64π h⁹) (h² − r²)³   4.3
    PURL_HD float operator()(float r2) const { return value * shape(r2); }
    // ∇W = −945/(32π h⁹) d (h² − r²)²   4.4
    PURL_HD float gradientFactor(float r2) const { return gradient * slope(r2); }
    // ∇²W = −945/(32π h⁹) (h² − r²)(3h² − 7r²)   4.5
    PURL_HD float laplacian(float r2) const { return gradient * bend(r2); }
};

// For the pressure force: repels most strongly where particles are closest.
struct Spiky {
    float h = 0;  // m
    float value = 0, gradient = 0;
    float laplaceFrom = 0, laplaceOutward = 0;  // (D − 1) h and D + 1

    Spiky() = default;
    explicit Spiky(double support, int dimensions = 3) : h(static_cast<float>(support)) {
        // 15/(π h⁶) in 3D, 10/(π h⁵) in 2D
        value = static_cast<float>((dimensions == 3 ? 15 : 10) / (kPi * power(support, 3 + dimensions)));
        gradient = static_cast<float>((dimensions == 3 ? -45 : -30) / (kPi * power(support, 3 + dimensions)));
        laplaceFrom = static_cast<float>((dimensions - 1) * support);
        laplaceOutward = static_cast<float>(dimensions + 1);
    }

    template <class F>
    PURL_HD F inside(F r) const {
        return max(F(h) - r, F(0.0f));
    }
    template <class F>
    PURL_HD F shape(F r) const {
        const F q = inside(r);
        return q * q * q;
    }
    template <class F>
    PURL_HD F shapeAt(F r2) const {
        return shape(sqrt(r2));
    }
    template <class F>
    PURL_HD F slope(F r) const {
        const F q = inside(r);
        return q * q / max(r, F(1e-15f));
    }
    // W = 15/(π h⁶) (h − r)³   4.13
    PURL_HD float operator()(float r) const { return value * shape(r); }
    // ∇W = −45/(π h⁶) d/r (h − r)²   4.14; its direction is undefined at r = 0, where this returns 0
    PURL_HD float gradientFactor(float r) const { return r > 0 ? gradient * slope(r) : 0; }
    // ∇²W = −45/(π h⁶) 1/r (h − r)(2h − 4r)   4.15
    PURL_HD float laplacian(float r) const {
        return r > 0 ? gradient * inside(r) * (laplaceFrom - laplaceOutward * r) / r : 0;
    }
};

// For the viscosity force: its Laplacian is never negative, so viscosity never increases relative velocities.
struct ViscosityKernel {
    float h = 0;  // m
    float laplace = 0;
    float value = 0;
    bool plane = false;

    ViscosityKernel() = default;
    explicit ViscosityKernel(double support, int dimensions = 3)
        : h(static_cast<float>(support)), plane(dimensions == 2) {
        // 45/(π h⁶) in 3D, 40/(π h⁵) in 2D: the sum over neighbours is then ∇²v of any quadratic velocity field
        laplace = static_cast<float>((plane ? 40 : 45) / (kPi * power(support, 3 + dimensions)));
        value = static_cast<float>((plane ? 40 : 7.5) / (kPi * power(support, dimensions)));
    }

    // W = 15/(2π h³) (−r³/2h³ + r²/h² + h/2r − 1)   4.20, for r > 0;
    //     in 2D W = 40/(π h²) (r²/4h² − r³/9h³ + ln(h/r)/6 − 5/36)
    PURL_HD float operator()(float r) const {
        const float q = r / h;
        if (!(r < h)) return 0;
        return value *
               (plane ? q * q / 4 - q * q * q / 9 - log(q) / 6 - 5.0f / 36 : -q * q * q / 2 + q * q + 1 / (2 * q) - 1);
    }
    // ∇W = 15/(2π h³) d (−3r/2h³ + 2/h² − h/2r³)   4.21, for r > 0; in 2D 40/(π h²) d (1/2h² − r/3h³ − 1/6r²)
    PURL_HD float gradientFactor(float r) const {
        const float q = r / h;
        if (!(r < h)) return 0;
        return value / (h * h) * (plane ? 0.5f - q / 3 - 1 / (6 * q * q) : -1.5f * q + 2 - 1 / (2 * q * q * q));
    }
    // The laplacian without its factor `laplace`.
    template <class F>
    PURL_HD F bend(F r) const {
        return max(F(h) - r, F(0.0f));
    }
    // ∇²W = 45/(π h⁶) (h − r)   4.22
    PURL_HD float laplacian(float r) const { return laplace * bend(r); }
};

// Monaghan's cubic spline, for solvers that need value and gradient of the same kernel. q = 2 r / h.
struct CubicSpline {
    float h = 0, perHalf = 0;  // m; 2/h in 1/m
    float value = 0, gradient = 0;
    float around = 2;  // D − 1: directions perpendicular to d

    CubicSpline() = default;
    explicit CubicSpline(double support, int dimensions = 3) : h(static_cast<float>(support)) {
        const double half = support / 2, factor = (dimensions == 3 ? 1 : 10.0 / 7) / (kPi * power(half, dimensions));
        perHalf = static_cast<float>(1 / half);
        value = static_cast<float>(factor);
        gradient = static_cast<float>(factor / (half * half));
        around = static_cast<float>(dimensions - 1);
    }
    int dimensions() const { return static_cast<int>(around) + 1; }

    template <class F>
    PURL_HD F shape(F r) const {
        const F q = F(perHalf) * r, outer = max(F(2.0f) - q, F(0.0f)), inner = max(F(1.0f) - q, F(0.0f));
        return fnma(inner * inner, inner, (F(0.25f) * outer) * (outer * outer));
    }
    template <class F>
    PURL_HD F shapeAt(F r2) const {
        return shape(sqrt(r2));
    }
    template <class F>
    PURL_HD F slope(F r) const {
        const F q = F(perHalf) * r, outer = max(F(2.0f) - q, F(0.0f));
        return select(q < F(1.0f), fma(F(2.25f), q, F(-3.0f)), F(-0.75f) * (outer * outer) / q);
    }
    // W = 1/(π (h/2)³) (¼ (2 − q)³ − (1 − q)³), where negative bases count as 0; factor 10/(7π (h/2)²) in 2D
    PURL_HD float operator()(float r) const { return value * shape(r); }
    // ∇W = 1/(π (h/2)⁵) d times 9/4 q − 3 for q < 1, −¾ (2 − q)²/q beyond: finite everywhere
    PURL_HD float gradientFactor(float r) const { return gradient * slope(r); }
    // ∇²W = W″ + (D − 1) W′/r
    PURL_HD float laplacian(float r) const {
        const float q = perHalf * r, outer = q < 2 ? 2 - q : 0;
        return gradient * (q < 1 ? 4.5f * q - 3 : 1.5f * outer) + around * gradientFactor(r);
    }
};

// Wendland's C² kernel: its Fourier transform is positive, which prevents the pairing instability for any number of
// neighbours (Dehnen and Aly 2012). q = r / h.
struct Wendland {
    float perH = 0;  // 1/m
    float value = 0, gradient = 0;
    float around = 2;  // D − 1

    Wendland() = default;
    explicit Wendland(double h, int dimensions = 3) : perH(static_cast<float>(1 / h)) {
        // 21/(2π h³) in 3D, 7/(π h²) in 2D
        const double factor = (dimensions == 3 ? 10.5 : 7) / (kPi * power(h, dimensions));
        value = static_cast<float>(factor);
        gradient = static_cast<float>(-20 * factor / (h * h));
        around = static_cast<float>(dimensions - 1);
    }

    template <class F>
    PURL_HD F left(F r) const {
        return max(fnma(F(perH), r, F(1.0f)), F(0.0f));
    }
    template <class F>
    PURL_HD F shape(F r) const {
        const F q = left(r), q2 = q * q;
        return (q2 * q2) * fma(F(4 * perH), r, F(1.0f));
    }
    template <class F>
    PURL_HD F shapeAt(F r2) const {
        return shape(sqrt(r2));
    }
    template <class F>
    PURL_HD F slope(F r) const {
        const F q = left(r);
        return q * q * q;
    }
    // W = 21/(2π h³) (1 − q)⁴ (1 + 4q)
    PURL_HD float operator()(float r) const { return value * shape(r); }
    // ∇W = −210/(π h⁵) d (1 − q)³
    PURL_HD float gradientFactor(float r) const { return gradient * slope(r); }
    // ∇²W = −210/(π h⁵) (1 − q)² ((1 − 4q) + (D − 1)(1 − q))
    PURL_HD float laplacian(float r) const {
        return gradient * square(left(r)) * (1 - 4 * perH * r + around * left(r));
    }
};

}  // namespace purl
