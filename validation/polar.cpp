// Reads 3 × 3 matrices, nine numbers each, row by row, and prints the closest rotation to each; case polar compares
// them with LAPACK.
#include <cstdio>

#include "solver/soft/polar.h"

int main() {
    float m[9];
    const auto next = [&] {
        for (float& value : m)
            if (std::scanf("%f", &value) != 1) return false;
        return true;
    };
    while (next()) {
        const purl::Mat3 r = purl::nearestRotation({{m[0], m[3], m[6]}, {m[1], m[4], m[7]}, {m[2], m[5], m[8]}});
        for (int row = 0; row < 3; ++row)
            std::printf("%.9g %.9g %.9g\n", double(r.x[row]), double(r.y[row]), double(r.z[row]));
    }
}
