#include "solver/fluid/kernels.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solver/core/random.h"

namespace purl {
namespace {

// One kernel as functions of r alone, in double where the test integrates.
struct Radial {
    const char* name;
    float (*value)(float h, float r, int dimensions);
    float (*slope)(float h, float r, int dimensions);  // dW/dr: a gradient's factor times r
    float (*laplacian)(float h, float r, int dimensions);
};

const Radial kKernels[] = {
    {"poly6", [](float h, float r, int D) { return Poly6(h, D)(r * r); },
     [](float h, float r, int D) { return r * Poly6(h, D).gradientFactor(r * r); },
     [](float h, float r, int D) { return Poly6(h, D).laplacian(r * r); }},
    {"spiky", [](float h, float r, int D) { return Spiky(h, D)(r); },
     [](float h, float r, int D) { return r * Spiky(h, D).gradientFactor(r); },
     [](float h, float r, int D) { return Spiky(h, D).laplacian(r); }},
    {"viscosity", [](float h, float r, int D) { return ViscosityKernel(h, D)(r); },
     [](float h, float r, int D) { return r * ViscosityKernel(h, D).gradientFactor(r); },
     [](float h, float r, int D) { return ViscosityKernel(h, D).laplacian(r); }},
    {"cubicSpline", [](float h, float r, int D) { return CubicSpline(h, D)(r); },
     [](float h, float r, int D) { return r * CubicSpline(h, D).gradientFactor(r); },
     [](float h, float r, int D) { return CubicSpline(h, D).laplacian(r); }},
    {"wendland", [](float h, float r, int D) { return Wendland(h, D)(r); },
     [](float h, float r, int D) { return r * Wendland(h, D).gradientFactor(r); },
     [](float h, float r, int D) { return Wendland(h, D).laplacian(r); }},
};

// K-02 K-03 K-04 B-01 B-02 B-03 G-16. Values of the formulas at h = 1, to float precision.
TEST(Kernels, haveTheTabledValues) {
    struct Row {
        int kernel;
        float r, value, slope, laplacian;
    };
    const Row rows[] = {
        {0, 0.00f, 1.5666815f, 0, -28.2002665f},           {0, 0.25f, 1.2909058f, -2.0654492f, -22.5822446f},
        {0, 0.50f, 0.6609437f, -2.6437750f, -8.8125833f},  {0, 0.75f, 0.1311943f, -1.3494268f, 3.8555052f},
        {1, 0.25f, 2.0143047f, -8.0572190f, -42.9718346f}, {1, 0.50f, 0.5968310f, -3.5809862f, 0},
        {1, 0.75f, 0.0746039f, -0.8952466f, 4.7746483f},   {2, 0.25f, 2.5178809f, -18.1287427f, 10.7429587f},
        {2, 0.50f, 0.4476233f, -3.2825707f, 7.1619724f},   {2, 0.75f, 0.0435189f, -0.5553844f, 3.5809862f},
    };
    for (const Row& row : rows) {
        const Radial& kernel = kKernels[row.kernel];
        const auto tolerance = [](float value) { return 2e-6f * std::max(1.0f, std::fabs(value)); };
        EXPECT_NEAR(kernel.value(1, row.r, 3), row.value, tolerance(row.value)) << kernel.name << " " << row.r;
        EXPECT_NEAR(kernel.slope(1, row.r, 3), row.slope, tolerance(row.slope)) << kernel.name << " " << row.r;
        EXPECT_NEAR(kernel.laplacian(1, row.r, 3), row.laplacian, tolerance(row.laplacian))
            << kernel.name << " " << row.r;
    }
}

// B-01 B-02 B-04 B-05 B-06 L-11 O-39. At r = 0, h = 1 or 12, in space and in the plane; Desbrun and Cani's kernel and
// the spline are named by half their support in the literature.
TEST(Kernels, peakWhereTheDocumentsSay) {
    EXPECT_NEAR(Poly6(1)(0), 1.566681, 1e-6);
    EXPECT_NEAR(Spiky(1)(0), 4.774648, 1e-6);
    EXPECT_NEAR(Spiky(2 * 1.0)(0), 0.596831, 1e-6);
    EXPECT_NEAR(CubicSpline(2 * 1.0)(0), 0.318310, 1e-6);
    EXPECT_NEAR(Poly6(1, 2)(0), 4 / kPi, 1e-6);
    EXPECT_NEAR(Spiky(1, 2)(0), 10 / kPi, 1e-6);
    EXPECT_NEAR(Spiky(2 * 1.0, 2)(0), 5 * 8 / (16 * kPi), 1e-6);
    EXPECT_NEAR(CubicSpline(2 * 1.0, 2)(0), 10 / (7 * kPi), 1e-6);
    EXPECT_NEAR(ViscosityKernel(1, 2).laplacian(0.5f), 20 / kPi, 1e-5);
    EXPECT_NEAR(Poly6(12)(0), 9.0664e-4, 1e-8);
    EXPECT_NEAR(Poly6(12, 2)(0), 8.8419e-3, 1e-7);
}

// K-02 K-03 K-04 B-01 B-02 B-03 B-04 B-05 B-06 G-16 L-11 O-39. ∫ W 4π r² dr, ∫ W 2π r dr by the midpoint rule; 1e-5 is
// float rounding of the kernel's values.
TEST(Kernels, integrateToOneInSpaceAndInThePlane) {
    for (const Radial& kernel : kKernels)
        for (const int D : {3, 2})
            for (const float h : {0.01f, 0.0457f, 1.0f, 2.0f, 7.0f}) {
                constexpr int kSlices = 20000;
                double sum = 0;
                for (int i = 0; i < kSlices; ++i) {
                    const double r = (i + 0.5) * double(h) / kSlices, around = D == 3 ? 4 * kPi * r * r : 2 * kPi * r;
                    sum += around * double(kernel.value(h, static_cast<float>(r), D)) * double(h) / kSlices;
                }
                // 3e-7: rounding of the values.
                EXPECT_NEAR(sum, 1, 1e-5) << kernel.name << " h " << h << " in " << D;
            }
}

// K-02 K-03 K-04 B-01 B-02 B-03 B-05 B-06 L-12 O-39. Central differences of float values are good to about a thousandth
// of the kernel's own slope: W′ = (W(r + s) − W(r − s)) / 2s, ∇²W = W″ + (D − 1) W′/r.
TEST(Kernels, haveGradientsAndLaplaciansThatAreTheirDerivatives) {
    for (const Radial& kernel : kKernels)
        for (const int D : {3, 2})
            for (const float r : {0.2f, 0.3f, 0.45f, 0.6f, 0.75f, 0.9f}) {
                constexpr float kStep = 2e-3f;
                const auto difference = [&](const auto& f) {
                    return (f(1, r + kStep, D) - f(1, r - kStep, D)) / (2 * kStep);
                };
                const float slope = kernel.slope(1, r, D), laplacian = kernel.laplacian(1, r, D);
                EXPECT_NEAR(slope, difference(kernel.value), 0.01f * std::fabs(slope) + 1e-2f)
                    << kernel.name << " " << r << " in " << D;
                const float expected = difference(kernel.slope) + static_cast<float>(D - 1) * slope / r;
                EXPECT_NEAR(laplacian, expected, 0.02f * (std::fabs(laplacian) + std::fabs(slope)) + 0.05f)
                    << kernel.name << " " << r << " in " << D;
            }
}

// K-02 K-03 K-04 B-02 B-04 G-16
TEST(Kernels, areZeroFromTheSupportRadiusOn) {
    for (const Radial& kernel : kKernels)
        for (const int D : {3, 2})
            for (const float r : {1.0f, 1.0001f, 3.0f}) {
                EXPECT_EQ(kernel.value(1, r, D), 0) << kernel.name;
                EXPECT_EQ(kernel.slope(1, r, D), 0) << kernel.name;
                EXPECT_EQ(kernel.laplacian(1, r, D), 0) << kernel.name;
            }
}

// K-03 B-02 L-12. |∇W| → 45/(π h⁴); at 0 there is no direction, and nothing but zero may come out.
TEST(Spiky, pushesHardestAtZeroWithoutLosingItsHead) {
    const float h = 0.0457f;
    const Spiky kernel(h);
    const double limit = 45 / (kPi * std::pow(double(h), 4));
    // 2e-6: the kernel at 1e-6 h instead of 0.
    EXPECT_NEAR(-double(kernel.gradientFactor(1e-6f * h)) * double(1e-6f * h), limit, 1e-4 * limit);
    EXPECT_EQ(kernel.gradientFactor(0), 0);
    EXPECT_EQ(kernel.laplacian(0), 0);
}

// K-04 B-03
TEST(ViscosityKernel, hasALaplacianNowhereNegative) {
    const ViscosityKernel kernel(0.0457);
    for (int i = 0; i <= 1000; ++i) EXPECT_GE(kernel.laplacian(0.0457f * float(i) / 1000), 0);
}

// B-05
TEST(CubicSplineKernel, isSmoothWhereItsPiecesMeet) {
    const CubicSpline W(2);
    EXPECT_NEAR(W(1 - 1e-4f), W(1 + 1e-4f), 2e-4f);                                // the slope times 2e-4
    EXPECT_NEAR(W.gradientFactor(1 - 1e-4f), W.gradientFactor(1 + 1e-4f), 2e-4f);  // the curvature times 2e-4
}

// K-05. The viscosity kernel touches zero at h with a horizontal slope, where its four terms cancel: rounding there is
// a few parts in 10⁷ of its factor.
TEST(Kernels, areNowhereNegative) {
    for (uint64_t i = 0; i < 10000; ++i) {
        const Vec3 d{randomUnit(1, 3 * i) * 2 - 1, randomUnit(1, 3 * i + 1) * 2 - 1, randomUnit(1, 3 * i + 2) * 2 - 1};
        for (const Radial& kernel : kKernels) {
            EXPECT_GE(kernel.value(1, length(d), 3), -1e-6f) << kernel.name;
            EXPECT_EQ(kernel.value(1, length(d), 3), kernel.value(1, length(-d), 3)) << kernel.name;
        }
    }
}

// K-05. W scales with h⁻³, ∇W with h⁻⁴, ∇²W with h⁻⁵; in the plane one power less.
TEST(Kernels, scaleWithTheSupportRadius) {
    for (const Radial& kernel : kKernels)
        for (const int D : {3, 2})
            for (const float h : {0.01f, 0.0457f, 3.0f})
                for (const float q : {0.2f, 0.45f, 0.8f}) {
                    const auto expectNear = [&](double scaled, double unit) {
                        // Powers of h up to the ninth in floats.
                        EXPECT_NEAR(scaled / unit, 1, 2e-5) << kernel.name << " h " << h << " q " << q << " in " << D;
                    };
                    expectNear(kernel.value(h, q * h, D) * std::pow(double(h), D), kernel.value(1, q, D));
                    expectNear(kernel.slope(h, q * h, D) * std::pow(double(h), D + 1), kernel.slope(1, q, D));
                    expectNear(kernel.laplacian(h, q * h, D) * std::pow(double(h), D + 2), kernel.laplacian(1, q, D));
                }
}

// The cubic spline: unit integral, values at the knots, slope by finite differences, nothing from h on.
TEST(CubicSplineKernel, isNormalisedAndItsSlopeIsItsOwn) {
    const float h = 0.04f;
    const CubicSpline W(h);
    constexpr int kSlices = 20000;
    double integral = 0;
    for (int i = 0; i < kSlices; ++i) {
        const double r = (i + 0.5) * h / kSlices;
        integral += 4 * kPi * r * r * double(W(static_cast<float>(r))) * h / kSlices;
    }
    EXPECT_NEAR(integral, 1, 1e-5);  // rounding of the values
    const double half = 0.5 * h, peak = 1 / (kPi * half * half * half);
    EXPECT_NEAR(W(0), peak, 1e-5 * peak);  // rounding
    EXPECT_NEAR(W(0.5f * h), 0.25 * peak, 1e-5 * peak);
    EXPECT_EQ(W(h), 0);
    EXPECT_EQ(W.gradientFactor(1.5f * h), 0);
    for (const float q : {0.05f, 0.3f, 0.49f, 0.51f, 0.8f, 0.97f}) {
        const double r = double(q) * h, step = 1e-3 * h;
        const double slope = double(W(static_cast<float>(r + step)) - W(static_cast<float>(r - step))) / (2 * step);
        // 1e-4: a difference over a small step, in floats.
        EXPECT_NEAR(r * double(W.gradientFactor(static_cast<float>(r))), slope, 2e-3 * peak / h) << q;
    }
}

}  // namespace
}  // namespace purl
