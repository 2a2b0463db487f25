#include "solver/fluid/kernels.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solver/core/random.h"

namespace purl {
namespace {

// One kernel as functions of r alone, in double where the test integrates.
struct Radial {
    const char* name;
    float (*value)(float h, float r);
    float (*slope)(float h, float r);  // dW/dr: a gradient's factor times r
    float (*laplacian)(float h, float r);
};

const Radial kKernels[] = {
    {"poly6", [](float h, float r) { return Poly6(h)(r * r); },
     [](float h, float r) { return r * Poly6(h).gradientFactor(r * r); },
     [](float h, float r) { return Poly6(h).laplacian(r * r); }},
    {"spiky", [](float h, float r) { return Spiky(h)(r); },
     [](float h, float r) { return r * Spiky(h).gradientFactor(r); },
     [](float h, float r) { return Spiky(h).laplacian(r); }},
    {"viscosity", [](float h, float r) { return ViscosityKernel(h)(r); },
     [](float h, float r) { return r * ViscosityKernel(h).gradientFactor(r); },
     [](float h, float r) { return ViscosityKernel(h).laplacian(r); }},
};

// K-02 K-03 K-04. Values of the formulas at h = 1, to float precision.
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
        EXPECT_NEAR(kernel.value(1, row.r), row.value, tolerance(row.value)) << kernel.name << " " << row.r;
        EXPECT_NEAR(kernel.slope(1, row.r), row.slope, tolerance(row.slope)) << kernel.name << " " << row.r;
        EXPECT_NEAR(kernel.laplacian(1, row.r), row.laplacian, tolerance(row.laplacian)) << kernel.name << " " << row.r;
    }
}

// K-02 K-03 K-04. ∫ W 4π r² dr by the midpoint rule; 1e-5 is float rounding of the kernel's values.
TEST(Kernels, integrateToOne) {
    for (const Radial& kernel : kKernels)
        for (const float h : {0.01f, 0.0457f, 1.0f}) {
            constexpr int kSlices = 20000;
            double sum = 0;
            for (int i = 0; i < kSlices; ++i) {
                const double r = (i + 0.5) * double(h) / kSlices;
                sum += 4 * kPi * r * r * double(kernel.value(h, static_cast<float>(r))) * double(h) / kSlices;
            }
            EXPECT_NEAR(sum, 1, 1e-5) << kernel.name << " h " << h;
        }
}

// K-02 K-03 K-04. Central differences of float values are good to about a thousandth.
TEST(Kernels, haveGradientsThatAreTheirSlopes) {
    for (const Radial& kernel : kKernels)
        for (const float r : {0.15f, 0.3f, 0.45f, 0.6f, 0.75f, 0.9f}) {
            constexpr float kStep = 1e-2f;
            const float difference = (kernel.value(1, r + kStep) - kernel.value(1, r - kStep)) / (2 * kStep);
            const float tolerance = 0.01f * std::fabs(kernel.slope(1, r)) + 1e-2f;
            EXPECT_NEAR(kernel.slope(1, r), difference, tolerance) << kernel.name << " " << r;
        }
}

// K-02 K-03 K-04
TEST(Kernels, areZeroFromTheSupportRadiusOn) {
    for (const Radial& kernel : kKernels)
        for (const float r : {1.0f, 1.0001f, 3.0f}) {
            EXPECT_EQ(kernel.value(1, r), 0) << kernel.name;
            EXPECT_EQ(kernel.slope(1, r), 0) << kernel.name;
            EXPECT_EQ(kernel.laplacian(1, r), 0) << kernel.name;
        }
}

// K-03. |∇W| → 45/(π h⁴); at 0 there is no direction, and nothing but zero may come out.
TEST(Spiky, pushesHardestAtZeroWithoutLosingItsHead) {
    const float h = 0.0457f;
    const Spiky kernel(h);
    const double limit = 45 / (kPi * std::pow(double(h), 4));
    EXPECT_NEAR(-double(kernel.gradientFactor(1e-6f * h)) * double(1e-6f * h), limit, 1e-4 * limit);
    EXPECT_EQ(kernel.gradientFactor(0), 0);
    EXPECT_EQ(kernel.laplacian(0), 0);
}

// K-04
TEST(ViscosityKernel, hasALaplacianNowhereNegative) {
    const ViscosityKernel kernel(0.0457);
    for (int i = 0; i <= 1000; ++i) EXPECT_GE(kernel.laplacian(0.0457f * float(i) / 1000), 0);
}

// K-05. The viscosity kernel touches zero at h with a horizontal slope, where its four terms cancel: rounding there is
// a few parts in 10⁷ of its factor.
TEST(Kernels, areNowhereNegative) {
    for (uint64_t i = 0; i < 10000; ++i) {
        const Vec3 d{randomUnit(1, 3 * i) * 2 - 1, randomUnit(1, 3 * i + 1) * 2 - 1, randomUnit(1, 3 * i + 2) * 2 - 1};
        for (const Radial& kernel : kKernels) {
            EXPECT_GE(kernel.value(1, length(d)), -1e-6f) << kernel.name;
            EXPECT_EQ(kernel.value(1, length(d)), kernel.value(1, length(-d))) << kernel.name;
        }
    }
}

// K-05. W scales with h⁻³, ∇W with h⁻⁴, ∇²W with h⁻⁵.
TEST(Kernels, scaleWithTheSupportRadius) {
    for (const Radial& kernel : kKernels)
        for (const float h : {0.01f, 0.0457f, 3.0f})
            for (const float q : {0.2f, 0.45f, 0.8f}) {
                const auto expectNear = [&](double scaled, double unit) {
                    EXPECT_NEAR(scaled / unit, 1, 2e-5) << kernel.name << " h " << h << " q " << q;
                };
                expectNear(kernel.value(h, q * h) * std::pow(double(h), 3), kernel.value(1, q));
                expectNear(kernel.slope(h, q * h) * std::pow(double(h), 4), kernel.slope(1, q));
                expectNear(kernel.laplacian(h, q * h) * std::pow(double(h), 5), kernel.laplacian(1, q));
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
    EXPECT_NEAR(integral, 1, 1e-5);
    const double half = 0.5 * h, peak = 1 / (kPi * half * half * half);
    EXPECT_NEAR(W(0), peak, 1e-5 * peak);
    EXPECT_NEAR(W(0.5f * h), 0.25 * peak, 1e-5 * peak);
    EXPECT_EQ(W(h), 0);
    EXPECT_EQ(W.gradientFactor(1.5f * h), 0);
    for (const float q : {0.05f, 0.3f, 0.49f, 0.51f, 0.8f, 0.97f}) {
        const double r = double(q) * h, step = 1e-3 * h;
        const double slope = double(W(static_cast<float>(r + step)) - W(static_cast<float>(r - step))) / (2 * step);
        EXPECT_NEAR(r * double(W.gradientFactor(static_cast<float>(r))), slope, 2e-3 * peak / h) << q;
    }
}

}  // namespace
}  // namespace purl
