// The three smoothing kernels of Müller 2003 with their derivatives (Kelager §4, §4.2), and the cubic spline of pbf and
// dfsph. Each carries its constant factors, made once from the support radius h, and is zero from h on. d = xᵢ − xⱼ,
// r = |d|; a gradient is its factor times d.
#pragma once
#include "solver/core/vec.h"

namespace purl {

constexpr double kPi = 3.14159265358979323846;

// For density, colour field, surface normal and curvature. Needs r² only; its gradient fades at 0, so it is of no use
// for pressure.
struct Poly6 {
    float h2 = 0;                                // m²
    float value = 0, gradient = 0, laplace = 0;  // constant factors

    Poly6() = default;
    explicit Poly6(double h) {
        const double h9 = h * h * h * h * h * h * h * h * h;
        h2 = static_cast<float>(h * h);
        value = static_cast<float>(315 / (64 * kPi * h9));
        gradient = static_cast<float>(-945 / (32 * kPi * h9));
        laplace = gradient;
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
    PURL_HD float laplacian(float r2) const { return laplace * inside(r2) * (3 * h2 - 7 * r2); }
};

// For the pressure force: pushes hardest where particles are closest.
struct Spiky {
    float h = 0;  // m
    float value = 0, gradient = 0, laplace = 0;

    Spiky() = default;
    explicit Spiky(double support) : h(static_cast<float>(support)) {
        const double h6 = support * support * support * support * support * support;
        value = static_cast<float>(15 / (kPi * h6));
        gradient = static_cast<float>(-45 / (kPi * h6));
        laplace = static_cast<float>(-90 / (kPi * h6));
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
    // ∇²W = −90/(π h⁶) 1/r (h − r)(h − 2r)   4.15
    PURL_HD float laplacian(float r) const { return r > 0 ? laplace * inside(r) * (h - 2 * r) / r : 0; }
};

// For the viscosity force: its Laplacian is nowhere negative, so that friction never speeds anything up.
struct ViscosityKernel {
    float h = 0;  // m
    float value = 0, laplace = 0;

    ViscosityKernel() = default;
    explicit ViscosityKernel(double support) : h(static_cast<float>(support)) {
        const double h3 = support * support * support;
        value = static_cast<float>(15 / (2 * kPi * h3));
        laplace = static_cast<float>(45 / (kPi * h3 * h3));
    }

    // W = 15/(2π h³) (−r³/2h³ + r²/h² + h/2r − 1)   4.20, 0 < r
    PURL_HD float operator()(float r) const {
        const float q = r / h;
        return r < h ? value * (-q * q * q / 2 + q * q + 1 / (2 * q) - 1) : 0;
    }
    // ∇W = 15/(2π h³) d (−3r/2h³ + 2/h² − h/2r³)   4.21, 0 < r
    PURL_HD float gradientFactor(float r) const {
        const float q = r / h;
        return r < h ? value / (h * h) * (-1.5f * q + 2 - 1 / (2 * q * q * q)) : 0;
    }
    // ∇²W = 45/(π h⁶) (h − r)   4.22
    PURL_HD float laplacian(float r) const { return h > r ? laplace * (h - r) : 0; }
};

// Monaghan's cubic spline, for those who want value and gradient of one and the same kernel. q = 2 r / h.
struct CubicSpline {
    float h = 0, perHalf = 0;  // m; q per metre
    float value = 0, gradient = 0;

    CubicSpline() = default;
    explicit CubicSpline(double support) : h(static_cast<float>(support)) {
        const double half = support / 2, volume = half * half * half;
        perHalf = static_cast<float>(1 / half);
        value = static_cast<float>(1 / (kPi * volume));
        gradient = static_cast<float>(1 / (kPi * volume * half * half));
    }

    // W = 1/(π (h/2)³) (¼ (2 − q)³ − (1 − q)³), each power zero where its base is negative
    PURL_HD float operator()(float r) const {
        const float q = perHalf * r, outer = q < 2 ? 2 - q : 0, inner = q < 1 ? 1 - q : 0;
        return value * (0.25f * outer * outer * outer - inner * inner * inner);
    }
    // ∇W = 1/(π (h/2)⁵) d (9/4 q − 3) for q < 1, and −¾ (2 − q)²/q beyond: finite everywhere
    PURL_HD float gradientFactor(float r) const {
        const float q = perHalf * r, outer = q < 2 ? 2 - q : 0;
        return gradient * (q < 1 ? 2.25f * q - 3 : -0.75f * outer * outer / q);
    }
};

}  // namespace purl
