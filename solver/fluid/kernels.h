// The smoothing kernels of the documents with their derivatives, in space and in the plane: poly6, spiky and viscosity
// of Müller 2003 (Kelager §4, §4.2), the cubic spline of Monaghan 1992 and Wendland's C² of 1995. Each carries its
// constant factors, made once from the support radius h, and is zero from h on. d = xᵢ − xⱼ, r = |d|; a gradient is its
// factor times d.
//
// Who weighs by which:
//   poly6      wcsph's density, the colour field of every solver
//   spiky      wcsph's pressure; by choice its density too (Güdükbay 2012). Desbrun and Cani's kernel is this one,
//              named by half its support: (2 − r/h)³ is (2h − r)³/h³
//   viscosity  viscosity of every solver
//   spline     pbf and dfsph; by choice wcsph
//   wendland   by choice wcsph
// Derivatives that no solver asks for are the documents' too, and held to by the same tests.
#pragma once
#include <cmath>

#include "solver/core/vec.h"

namespace purl {

constexpr double kPi = 3.14159265358979323846;

// xⁿ for a kernel's constants.
inline double power(double x, int n) { return n > 0 ? x * power(x, n - 1) : 1; }

// For density, colour field, surface normal and curvature. Needs r² only; its gradient fades at 0, so it is of no use
// for pressure.
struct Poly6 {
    float h2 = 0;                               // m²
    float value = 0, gradient = 0;              // constant factors
    float laplaceFrom = 0, laplaceOutward = 0;  // D h² and D + 4, in D dimensions

    Poly6() = default;
    explicit Poly6(double h, int dimensions = 3) {
        h2 = static_cast<float>(h * h);
        // 315/(64π h⁹) in space, 4/(π h⁸) in the plane
        value = static_cast<float>((dimensions == 3 ? 315.0 / 64 : 4) / (kPi * power(h, 6 + dimensions)));
        gradient = static_cast<float>((dimensions == 3 ? -945.0 / 32 : -24) / (kPi * power(h, 6 + dimensions)));
        laplaceFrom = static_cast<float>(dimensions * h * h);
        laplaceOutward = static_cast<float>(dimensions + 4);
    }

    PURL_HD float inside(float r2) const { return h2 > r2 ? h2 - r2 : 0; }
    // W = 315/(64π h⁹) (h² − r²)³   4.3
    PURL_HD float operator()(float r2) const {
        const float q = inside(r2);
        return value * q * q * q;
    }
    // ∇W = −945/(32π h⁹) d (h² − r²)²   4.4
    PURL_HD float gradientFactor(float r2) const {
        const float q = inside(r2);
        return gradient * q * q;
    }
    // ∇²W = −945/(32π h⁹) (h² − r²)(3h² − 7r²)   4.5
    PURL_HD float laplacian(float r2) const { return gradient * inside(r2) * (laplaceFrom - laplaceOutward * r2); }
};

// For the pressure force: pushes hardest where particles are closest.
struct Spiky {
    float h = 0;  // m
    float value = 0, gradient = 0;
    float laplaceFrom = 0, laplaceOutward = 0;  // (D − 1) h and D + 1

    Spiky() = default;
    explicit Spiky(double support, int dimensions = 3) : h(static_cast<float>(support)) {
        // 15/(π h⁶) in space, 10/(π h⁵) in the plane
        value = static_cast<float>((dimensions == 3 ? 15 : 10) / (kPi * power(support, 3 + dimensions)));
        gradient = static_cast<float>((dimensions == 3 ? -45 : -30) / (kPi * power(support, 3 + dimensions)));
        laplaceFrom = static_cast<float>((dimensions - 1) * support);
        laplaceOutward = static_cast<float>(dimensions + 1);
    }

    PURL_HD float inside(float r) const { return h > r ? h - r : 0; }
    // W = 15/(π h⁶) (h − r)³   4.13
    PURL_HD float operator()(float r) const {
        const float q = inside(r);
        return value * q * q * q;
    }
    // ∇W = −45/(π h⁶) d/r (h − r)²   4.14; without a direction at r = 0, and zero there.
    PURL_HD float gradientFactor(float r) const {
        const float q = inside(r);
        return r > 0 ? gradient * q * q / r : 0;
    }
    // ∇²W = −45/(π h⁶) 1/r (h − r)(2h − 4r)   4.15
    PURL_HD float laplacian(float r) const {
        return r > 0 ? gradient * inside(r) * (laplaceFrom - laplaceOutward * r) / r : 0;
    }
};

// For the viscosity force: its Laplacian is nowhere negative, so that friction never speeds anything up.
struct ViscosityKernel {
    float h = 0;  // m
    float laplace = 0;
    float value = 0;
    bool plane = false;

    ViscosityKernel() = default;
    explicit ViscosityKernel(double support, int dimensions = 3)
        : h(static_cast<float>(support)), plane(dimensions == 2) {
        // 45/(π h⁶) in space, 40/(π h⁵) in the plane: then the sum over neighbours is ∇²v of any parabola
        laplace = static_cast<float>((plane ? 40 : 45) / (kPi * power(support, 3 + dimensions)));
        value = static_cast<float>((plane ? 40 : 7.5) / (kPi * power(support, dimensions)));
    }

    // W = 15/(2π h³) (−r³/2h³ + r²/h² + h/2r − 1)   4.20, 0 < r; in the plane
    // W = 40/(π h²) (r²/4h² − r³/9h³ + ln(h/r)/6 − 5/36)
    PURL_HD float operator()(float r) const {
        const float q = r / h;
        if (!(r < h)) return 0;
        return value * (plane ? q * q / 4 - q * q * q / 9 - std::log(q) / 6 - 5.0f / 36
                              : -q * q * q / 2 + q * q + 1 / (2 * q) - 1);
    }
    // ∇W = 15/(2π h³) d (−3r/2h³ + 2/h² − h/2r³)   4.21, 0 < r; in the plane 40/(π h²) d (1/2h² − r/3h³ − 1/6r²)
    PURL_HD float gradientFactor(float r) const {
        const float q = r / h;
        if (!(r < h)) return 0;
        return value / (h * h) * (plane ? 0.5f - q / 3 - 1 / (6 * q * q) : -1.5f * q + 2 - 1 / (2 * q * q * q));
    }
    // ∇²W = 45/(π h⁶) (h − r)   4.22
    PURL_HD float laplacian(float r) const { return h > r ? laplace * (h - r) : 0; }
};

// Monaghan's cubic spline, for those who want value and gradient of one and the same kernel. q = 2 r / h.
struct CubicSpline {
    float h = 0, perHalf = 0;  // m; q per metre
    float value = 0, gradient = 0;
    float around = 2;  // D − 1: directions across d

    CubicSpline() = default;
    explicit CubicSpline(double support, int dimensions = 3) : h(static_cast<float>(support)) {
        const double half = support / 2, factor = (dimensions == 3 ? 1 : 10.0 / 7) / (kPi * power(half, dimensions));
        perHalf = static_cast<float>(1 / half);
        value = static_cast<float>(factor);
        gradient = static_cast<float>(factor / (half * half));
        around = static_cast<float>(dimensions - 1);
    }
    int dimensions() const { return static_cast<int>(around) + 1; }

    // W = 1/(π (h/2)³) (¼ (2 − q)³ − (1 − q)³), each power zero where its base is negative; 10/(7π (h/2)²) in the plane
    PURL_HD float operator()(float r) const {
        const float q = perHalf * r, outer = q < 2 ? 2 - q : 0, inner = q < 1 ? 1 - q : 0;
        return value * (0.25f * outer * outer * outer - inner * inner * inner);
    }
    // ∇W = 1/(π (h/2)⁵) d (9/4 q − 3) for q < 1, and −¾ (2 − q)²/q beyond: finite everywhere
    PURL_HD float gradientFactor(float r) const {
        const float q = perHalf * r, outer = q < 2 ? 2 - q : 0;
        return gradient * (q < 1 ? 2.25f * q - 3 : -0.75f * outer * outer / q);
    }
    // ∇²W = W″ + (D − 1) W′/r
    PURL_HD float laplacian(float r) const {
        const float q = perHalf * r, outer = q < 2 ? 2 - q : 0;
        return gradient * (q < 1 ? 4.5f * q - 3 : 1.5f * outer) + around * gradientFactor(r);
    }
};

// Wendland's C²: its Fourier transform is positive, so that particles do not pair up however many they are (Dehnen and
// Aly 2012). q = r / h.
struct Wendland {
    float perH = 0;  // 1/m
    float value = 0, gradient = 0;
    float around = 2;  // D − 1

    Wendland() = default;
    explicit Wendland(double h, int dimensions = 3) : perH(static_cast<float>(1 / h)) {
        // 21/(2π h³) in space, 7/(π h²) in the plane
        const double factor = (dimensions == 3 ? 10.5 : 7) / (kPi * power(h, dimensions));
        value = static_cast<float>(factor);
        gradient = static_cast<float>(-20 * factor / (h * h));
        around = static_cast<float>(dimensions - 1);
    }

    PURL_HD float left(float r) const { return perH * r < 1 ? 1 - perH * r : 0; }
    // W = 21/(2π h³) (1 − q)⁴ (1 + 4q)
    PURL_HD float operator()(float r) const { return value * square(square(left(r))) * (1 + 4 * perH * r); }
    // ∇W = −210/(π h⁵) d (1 − q)³
    PURL_HD float gradientFactor(float r) const { return gradient * square(left(r)) * left(r); }
    // ∇²W = −210/(π h⁵) (1 − q)² ((1 − 4q) + (D − 1)(1 − q))
    PURL_HD float laplacian(float r) const {
        return gradient * square(left(r)) * (1 - 4 * perH * r + around * left(r));
    }
};

}  // namespace purl
