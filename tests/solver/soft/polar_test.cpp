#include "solver/soft/polar.h"

#include <gtest/gtest.h>

#include "tests/solver/meshes.h"

namespace purl {
namespace {

Mat3 randomMatrix(uint64_t i) { return {randomPoint(1, i), randomPoint(2, i), randomPoint(3, i)}; }

void expectTurn(const Mat3& r, double tolerance) {
    EXPECT_LT(double(norm(transposed(r) * r - Mat3{})), tolerance);
    EXPECT_NEAR(determinant(r), 1, tolerance);
}

// Relative deviation of RᵀA from symmetry.
double skew(const Mat3& r, const Mat3& a) {
    const Mat3 s = transposed(r) * a;
    return double(norm(s - transposed(s))) / double(norm(a));
}

}  // namespace

// L-29. All kinds of matrices: general, reflected, nearly of rank one or two, huge and tiny.
TEST(Polar, givesARotationAndASymmetricStretchForAnyMatrix) {
    for (uint64_t i = 0; i < 10000; ++i) {
        Mat3 a = randomMatrix(i);
        const float thin = std::pow(10.0f, -8 * randomUnit(4, i));
        if (i % 5 == 1) a.z = -1 * a.z;
        if (i % 5 == 2) a.z = 0.3f * a.x + 0.7f * a.y + thin * a.z;
        if (i % 5 == 3) {
            a.y = 2 * a.x + thin * a.y;
            a.z = -1 * a.x + thin * a.z;
        }
        if (i % 5 == 4) a = std::pow(10.0f, 15 * randomSigned(5, i)) * a;
        const Mat3 r = nearestRotation(a);
        // Floats represent a rotation to some 1e-7.
        expectTurn(r, 1e-6);
        EXPECT_LT(skew(r, a), 1e-6) << i;
    }
}

TEST(Polar, zeroMatrixGivesIdentity) {
    EXPECT_TRUE(nearestRotation(0 * Mat3{}) == Mat3{});
    EXPECT_TRUE(nearestPlaneRotation(0 * Mat3{}) == Mat3{});
}

// A reflection is not a rotation; the nearest rotation inverts the smallest stretch.
TEST(Polar, reflectionInvertsTheSmallestStretch) {
    EXPECT_LT(double(norm(nearestRotation({{3, 0, 0}, {0, 2, 0}, {0, 0, -0.5f}}) - Mat3{})), 1e-6);
    const Mat3 turn = turned({1, 2, -1}, 2.5f);
    EXPECT_LT(double(norm(nearestRotation(turn * Mat3{{3, 0, 0}, {0, -0.2f, 0}, {0, 0, 1}}) - turn)), 1e-6);
}

TEST(Polar, singularMatricesKeepTheirRotation) {
    const Mat3 turn = turned({0.3f, -1, 0.5f}, 1.1f);
    EXPECT_LT(double(norm(nearestRotation(turn * Mat3{{2, 0, 0}, {0, 1, 0}, {0, 0, 0}}) - turn)), 1e-5);
    // Rotation by 180° works too.
    const Mat3 half = turned({0, 1, 0}, 3.14159265f);
    EXPECT_LT(double(norm(nearestRotation(half) - half)), 1e-6);
}

// L-30
TEST(Polar, noOtherRotationIsNearer) {
    const Mat3 a = randomMatrix(77);
    const Mat3 best = nearestRotation(a);
    for (uint64_t i = 0; i < 1000; ++i)
        EXPECT_GE(norm(turned(randomPoint(8, i), 3 * randomSigned(9, i)) - a), norm(best - a) - 1e-6f);
}

TEST(Polar, planarRotationStaysInThePlane) {
    const Mat3 turn = turned({0, 0, 1}, 2);
    EXPECT_LT(double(norm(nearestPlaneRotation(turn * Mat3{{2, 0, 0}, {0.3f, 0.5f, 0}, {0, 0, 0}}) -
                          nearestRotation(turn * Mat3{{2, 0, 0}, {0.3f, 0.5f, 0}, {0, 0, 1}}))),
              1e-6);
    // A reflection in the plane must not rotate out of it.
    EXPECT_EQ(nearestPlaneRotation({{2, 0, 0}, {0, -1, 0}, {0, 0, 0}}).z.z, 1);
}

TEST(Polar, eigenvectorsMatchTheirEigenvalues) {
    double a[9][9], v[9][9], whole[9][9];
    for (int i = 0; i < 9; ++i)
        for (int j = 0; j <= i; ++j) a[i][j] = a[j][i] = double(randomSigned(11, static_cast<uint64_t>(9 * i + j)));
    std::copy(&a[0][0], &a[0][0] + 81, &whole[0][0]);
    symmetricEigen(a, v);
    for (int k = 0; k < 9; ++k)
        for (int i = 0; i < 9; ++i) {
            double image = 0;
            for (int j = 0; j < 9; ++j) image += whole[i][j] * v[j][k];
            EXPECT_NEAR(image, a[k][k] * v[i][k], 1e-12);
        }
}

}  // namespace purl
