// Rotation nearest to a 3 × 3 matrix (polar decomposition), robust for singular, reflected and zero matrices.
#pragma once
#include <cmath>

#include "solver/core/vec.h"

namespace purl {

// Jacobi eigenvalue algorithm for symmetric matrices: eigenvalues on the diagonal of a, eigenvectors in the columns of
// v.
template <int N>
PURL_HD void symmetricEigen(double (&a)[N][N], double (&v)[N][N]) {
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) v[i][j] = i == j;
    // Convergence is quadratic: 4 × 4 takes five sweeps, 9 × 9 eight.
    constexpr int kSweeps = 20;
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        double offDiagonal = 0, total = 0;
        for (int i = 0; i < N; ++i)
            for (int j = 0; j < N; ++j) {
                total += a[i][j] * a[i][j];
                if (i != j) offDiagonal += a[i][j] * a[i][j];
            }
        if (!(offDiagonal > 1e-30 * total)) return;
        for (int p = 0; p < N; ++p)
            for (int q = p + 1; q < N; ++q) {
                if (a[p][q] == 0) continue;
                const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                const double t = (theta < 0 ? -1 : 1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
                const double c = 1 / std::sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < N; ++k) {
                    const double kp = a[k][p], kq = a[k][q];
                    a[k][p] = c * kp - s * kq;
                    a[k][q] = s * kp + c * kq;
                }
                for (int k = 0; k < N; ++k) {
                    const double pk = a[p][k], qk = a[q][k];
                    a[p][k] = c * pk - s * qk;
                    a[q][k] = s * pk + c * qk;
                }
                for (int k = 0; k < N; ++k) {
                    const double kp = v[k][p], kq = v[k][q];
                    v[k][p] = c * kp - s * kq;
                    v[k][q] = s * kp + c * kq;
                }
            }
    }
}

// The rotation R, of determinant +1, that maximizes tr(RᵀA). For A = R S of a polar decomposition it is R; for a
// reflection, R with the smallest stretch inverted. As a quaternion it is the eigenvector of the largest eigenvalue of
// a symmetric 4 × 4 matrix (Horn 1987), which always exists: no division, no initial guess. The identity for a zero
// matrix.
PURL_HD inline Mat3 nearestRotation(const Mat3& a) {
    float largest = 0;
    const Vec3 columns[3] = {a.x, a.y, a.z};
    for (const Vec3& column : columns)
        for (int k = 0; k < 3; ++k) largest = std::fabs(column[k]) > largest ? std::fabs(column[k]) : largest;
    if (!(largest > 0)) return {};
    const double scale = 1 / double(largest);
    // s[c][r]: row r of column c.
    double s[3][3];
    for (int k = 0; k < 3; ++k) {
        s[0][k] = scale * double(a.x[k]);
        s[1][k] = scale * double(a.y[k]);
        s[2][k] = scale * double(a.z[k]);
    }
    double n[4][4] = {
        {s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0]},
        {0, s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2]},
        {0, 0, s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1]},
        {0, 0, 0, s[2][2] - s[0][0] - s[1][1]},
    };
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < i; ++j) n[i][j] = n[j][i];
    double v[4][4];
    symmetricEigen(n, v);
    int best = 0;
    for (int k = 1; k < 4; ++k)
        if (n[k][k] > n[best][best]) best = k;
    const double w = v[0][best], x = v[1][best], y = v[2][best], z = v[3][best];
    const double inverse = 1 / (w * w + x * x + y * y + z * z);
    const auto at = [&](double value) { return static_cast<float>(value * inverse); };
    return {{at(w * w + x * x - y * y - z * z), at(2 * (x * y + w * z)), at(2 * (x * z - w * y))},
            {at(2 * (x * y - w * z)), at(w * w - x * x + y * y - z * z), at(2 * (y * z + w * x))},
            {at(2 * (x * z + w * y)), at(2 * (y * z - w * x)), at(w * w - x * x - y * y + z * z)}};
}

// The same in the plane z = 0: θ = atan2(A₂₁ − A₁₂, A₁₁ + A₂₂). Reflections cannot be undone in the plane.
PURL_HD inline Mat3 nearestPlaneRotation(const Mat3& a) {
    const float c = a.x.x + a.y.y, s = a.x.y - a.y.x, l = std::sqrt(c * c + s * s);
    if (!(l > 0)) return {};
    return {{c / l, s / l, 0}, {-s / l, c / l, 0}, {0, 0, 1}};
}

PURL_HD inline float determinant(const Mat3& m) { return dot(m.x, cross(m.y, m.z)); }
PURL_HD inline Mat3 operator*(float s, const Mat3& m) { return {s * m.x, s * m.y, s * m.z}; }
PURL_HD inline Mat3 operator+(const Mat3& a, const Mat3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
PURL_HD inline Mat3 operator-(const Mat3& a, const Mat3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
// Frobenius norm.
PURL_HD inline float norm(const Mat3& m) {
    return std::sqrt(lengthSquared(m.x) + lengthSquared(m.y) + lengthSquared(m.z));
}
// Inverse of a regular matrix.
PURL_HD inline Mat3 inverted(const Mat3& m) {
    const float d = 1 / determinant(m);
    return d * transposed({cross(m.y, m.z), cross(m.z, m.x), cross(m.x, m.y)});
}

}  // namespace purl
