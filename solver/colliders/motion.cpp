#include "solver/colliders/motion.h"

#include <array>
#include <cmath>

#include "solver/core/math.h"

namespace purl {

namespace {

using Quaternion = std::array<double, 4>;  // w x y z

double determinant(const Mat3& m) { return dot(m.x, cross(m.y, m.z)); }

Mat3 mirrored(const Mat3& m) { return {m.x, m.y, -m.z}; }

// Starts from the largest component, to avoid division by a small number (Shepperd 1978).
Quaternion quaternionOf(const Mat3& m) {
    const double xx = m.x.x, yy = m.y.y, zz = m.z.z;
    const std::array<double, 4> squares = {1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz};
    size_t largest = 0;
    for (size_t k = 1; k < 4; ++k)
        if (squares[k] > squares[largest]) largest = k;
    const double twice = std::sqrt(squares[largest]), part = 0.5 / twice;
    const double yz = m.y.z - m.z.y, zx = m.z.x - m.x.z, xy = m.x.y - m.y.x;  // 4w times x, y, z
    const double sxy = m.y.x + m.x.y, sxz = m.z.x + m.x.z, syz = m.z.y + m.y.z;
    switch (largest) {
        case 0: return {0.5 * twice, yz * part, zx * part, xy * part};
        case 1: return {yz * part, 0.5 * twice, sxy * part, sxz * part};
        case 2: return {zx * part, sxy * part, 0.5 * twice, syz * part};
        default: return {xy * part, sxz * part, syz * part, 0.5 * twice};
    }
}

Mat3 matrixOf(const Quaternion& q) {
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const auto column = [](double a, double b, double c) {
        return Vec3{static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)};
    };
    return {column(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
            column(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
            column(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y))};
}

// q(s) = (sin((1 − s) θ) a + sin(s θ) b) / sin θ   Shoemake 1985
Quaternion slerp(const Quaternion& a, Quaternion b, double share) {
    double cosine = 0;
    for (size_t k = 0; k < 4; ++k) cosine += a[k] * b[k];
    if (cosine < 0) {  // the shorter arc
        cosine = -cosine;
        for (double& part : b) part = -part;
    }
    double wa = 1 - share, wb = share;
    if (cosine < 0.999999) {
        const double angle = acos(cosine);
        wa = sin((1 - share) * angle) / sin(angle);
        wb = sin(share * angle) / sin(angle);
    }
    Quaternion q;
    double squared = 0;
    for (size_t k = 0; k < 4; ++k) {
        q[k] = wa * a[k] + wb * b[k];
        squared += q[k] * q[k];
    }
    for (double& part : q) part /= std::sqrt(squared);
    return q;
}

}  // namespace

Pose poseBetween(const Pose& a, const Pose& b, float share) {
    if (share <= 0) return a;
    if (share >= 1) return b;
    const Vec3 position = lerp(a.position, b.position, share);
    if (a.axes == b.axes) return {position, a.axes};
    const bool mirroredA = determinant(a.axes) < 0, mirroredB = determinant(b.axes) < 0;
    if (mirroredA != mirroredB) return b;  // they differ by a reflection, not by a rotation
    if (mirroredA)
        return {position,
                mirrored(matrixOf(slerp(quaternionOf(mirrored(a.axes)), quaternionOf(mirrored(b.axes)), share)))};
    return {position, matrixOf(slerp(quaternionOf(a.axes), quaternionOf(b.axes), share))};
}

}  // namespace purl
