// Principal axes of a neighbourhood.
#pragma once
#include <cmath>

#include "solver/core/platform.h"

namespace purl {

// Eigenvectors of a symmetric matrix by Jacobi rotations; `a` becomes diagonal, columns of v
// are its eigenvectors.
PURL_HD inline void diagonalize(float a[3][3], float v[3][3]) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) v[i][j] = i == j;
    for (int sweep = 0; sweep < 6; ++sweep)
        for (int p = 0; p < 2; ++p)
            for (int q = p + 1; q < 3; ++q) {
                if (std::fabs(a[p][q]) < 1e-9f * (std::fabs(a[p][p]) + std::fabs(a[q][q]))) continue;
                const float theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                const float t = (theta < 0 ? -1.0f : 1.0f) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
                const float c = 1 / std::sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < 3; ++k) {
                    const float kp = a[k][p], kq = a[k][q];
                    a[k][p] = c * kp - s * kq;
                    a[k][q] = s * kp + c * kq;
                }
                for (int k = 0; k < 3; ++k) {
                    const float pk = a[p][k], qk = a[q][k];
                    a[p][k] = c * pk - s * qk;
                    a[q][k] = s * pk + c * qk;
                }
                for (int k = 0; k < 3; ++k) {
                    const float kp = v[k][p], kq = v[k][q];
                    v[k][p] = c * kp - s * kq;
                    v[k][q] = s * kp + c * kq;
                }
            }
}

}  // namespace purl
