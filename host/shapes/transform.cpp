// Transform composition with pivots, and its inverse.
#include "host/shapes/transform.h"

#include <cmath>

#include "solver/core/math.h"

namespace purl::host {
namespace {

// The axes in the order they are applied, and whether that order is an even permutation of x y z.
struct Order {
    int i, j, k;
    bool even;
};

constexpr Order kOrders[6] = {{0, 1, 2, true},  {1, 2, 0, true},  {2, 0, 1, true},
                              {0, 2, 1, false}, {1, 0, 2, false}, {2, 1, 0, false}};

Order axesOf(RotateOrder order) {
    const int n = static_cast<int>(order);
    return kOrders[n >= 0 && n < 6 ? n : 0];
}

Mat4d aboutAxis(int axis, double angle) {
    Mat4d m = kIdentity;
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    const double c = purl::cos(angle), s = purl::sin(angle);
    m[4 * a + a] = c;
    m[4 * a + b] = s;
    m[4 * b + a] = -s;
    m[4 * b + b] = c;
    return m;
}

Vec3d negated(const Vec3d& v) { return {-v[0], -v[1], -v[2]}; }
double dot(const Vec3d& a, const Vec3d& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// a − b·f
Vec3d minus(const Vec3d& a, const Vec3d& b, double f) { return {a[0] - b[0] * f, a[1] - b[1] * f, a[2] - b[2] * f}; }

double normalize(Vec3d& v) {
    const double length = std::sqrt(dot(v, v));
    if (length > 0)
        for (double& x : v) x /= length;
    return length;
}

}  // namespace

Mat4d multiply(const Mat4d& a, const Mat4d& b) {
    Mat4d m{};
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            for (int k = 0; k < 4; ++k) m[4 * i + j] += a[4 * i + k] * b[4 * k + j];
    return m;
}

Mat4d transpose(const Mat4d& m) {
    Mat4d t;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) t[4 * i + j] = m[4 * j + i];
    return t;
}

double determinant3(const Mat4d& m) {
    return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) +
           m[2] * (m[4] * m[9] - m[5] * m[8]);
}

// Gauss–Jordan with row pivots.
Mat4d inverse(const Mat4d& m) {
    Mat4d a = m, b = kIdentity;
    for (int c = 0; c < 4; ++c) {
        int pivot = c;
        for (int r = c + 1; r < 4; ++r)
            if (std::abs(a[4 * r + c]) > std::abs(a[4 * pivot + c])) pivot = r;
        if (a[4 * pivot + c] == 0) return kIdentity;
        for (int j = 0; j < 4; ++j) {
            std::swap(a[4 * c + j], a[4 * pivot + j]);
            std::swap(b[4 * c + j], b[4 * pivot + j]);
        }
        const double f = 1 / a[4 * c + c];
        for (int j = 0; j < 4; ++j) a[4 * c + j] *= f, b[4 * c + j] *= f;
        for (int r = 0; r < 4; ++r) {
            if (r == c) continue;
            const double g = a[4 * r + c];
            for (int j = 0; j < 4; ++j) a[4 * r + j] -= g * a[4 * c + j], b[4 * r + j] -= g * b[4 * c + j];
        }
    }
    return b;
}

Vec3d transformPoint(const Vec3d& p, const Mat4d& m) {
    Vec3d q;
    for (int j = 0; j < 3; ++j) q[j] = p[0] * m[j] + p[1] * m[4 + j] + p[2] * m[8 + j] + m[12 + j];
    return q;
}

Mat4d translation(const Vec3d& t) {
    Mat4d m = kIdentity;
    for (int j = 0; j < 3; ++j) m[12 + j] = t[j];
    return m;
}

Mat4d scaling(const Vec3d& s) {
    Mat4d m = kIdentity;
    for (int j = 0; j < 3; ++j) m[5 * j] = s[j];
    return m;
}

Mat4d rotation(const Vec3d& radians, RotateOrder order) {
    const Order o = axesOf(order);
    return multiply(multiply(aboutAxis(o.i, radians[o.i]), aboutAxis(o.j, radians[o.j])), aboutAxis(o.k, radians[o.k]));
}

// M = Sp⁻¹ S Sh Sp St · Rp⁻¹ Ra R Jo Rp Rt · Is T      Maya documentation, nodes "transform" and "joint"
Mat4d compose(const TransformParts& p) {
    Mat4d shear = kIdentity;
    shear[4] = p.shear[0];
    shear[8] = p.shear[1];
    shear[9] = p.shear[2];

    Mat4d m = translation(negated(p.scalePivot));
    m = multiply(m, scaling(p.scale));
    m = multiply(m, shear);
    m = multiply(m, translation(p.scalePivot));
    m = multiply(m, translation(p.scalePivotTranslate));
    m = multiply(m, translation(negated(p.rotatePivot)));
    m = multiply(m, rotation(p.rotateAxis, RotateOrder::xyz));
    m = multiply(m, rotation(p.rotate, p.rotateOrder));
    m = multiply(m, rotation(p.jointOrient, RotateOrder::xyz));
    m = multiply(m, translation(p.rotatePivot));
    m = multiply(m, translation(p.rotatePivotTranslate));
    if (p.segmentScaleCompensate) m = multiply(m, scaling(p.inverseScale));
    return multiply(m, translation(p.translate));
}

Decomposed decompose(const Mat4d& m, RotateOrder order) {
    Decomposed d;
    d.translate = {m[12], m[13], m[14]};
    Vec3d x{m[0], m[1], m[2]}, y{m[4], m[5], m[6]}, z{m[8], m[9], m[10]};

    // Rows of S·Sh·R:  x = sx rx,  y = sy (xy rx + ry),  z = sz (xz rx + yz ry + rz): Gram–Schmidt.
    double sx = normalize(x);
    const double xy = dot(y, x);
    y = minus(y, x, xy);
    double sy = normalize(y);
    const double xz = dot(z, x), yz = dot(z, y);
    z = minus(minus(z, x, xz), y, yz);
    double sz = normalize(z);
    d.shear = {sy != 0 ? xy / sy : 0, sz != 0 ? xz / sz : 0, sz != 0 ? yz / sz : 0};
    if (determinant3(m) < 0) {  // mirrored: Maya negates all three axes
        sx = -sx, sy = -sy, sz = -sz;
        x = negated(x), y = negated(y), z = negated(z);
    }
    d.scale = {sx, sy, sz};

    const double r[3][3] = {{x[0], x[1], x[2]}, {y[0], y[1], y[2]}, {z[0], z[1], z[2]}};
    const Order o = axesOf(order);
    const double sign = o.even ? 1 : -1;
    // R = Rᵢ(a) Rⱼ(b) Rₖ(c) with row vectors: r[i][k] = ∓sin b.
    const double cosB = std::sqrt(r[o.i][o.i] * r[o.i][o.i] + r[o.i][o.j] * r[o.i][o.j]);
    const double b = purl::atan2(-sign * r[o.i][o.k], cosB);
    double a, c;
    if (cosB > 1e-12) {
        a = purl::atan2(sign * r[o.j][o.k], r[o.k][o.k]);
        c = purl::atan2(sign * r[o.i][o.j], r[o.i][o.i]);
    } else {  // gimbal lock: the whole rotation goes to the first axis
        a = purl::atan2(-sign * r[o.k][o.j], r[o.j][o.j]);
        c = 0;
    }
    d.rotate[o.i] = a;
    d.rotate[o.j] = b;
    d.rotate[o.k] = c;

    // Quaternion of a rotation matrix, by its largest component (Shepperd 1978).
    const double trace = r[0][0] + r[1][1] + r[2][2];
    std::array<double, 4>& q = d.quaternion;
    if (trace > 0) {
        const double s = 2 * std::sqrt(trace + 1);
        q = {(r[1][2] - r[2][1]) / s, (r[2][0] - r[0][2]) / s, (r[0][1] - r[1][0]) / s, s / 4};
    } else {
        const int i = r[0][0] > r[1][1] ? (r[0][0] > r[2][2] ? 0 : 2) : (r[1][1] > r[2][2] ? 1 : 2);
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double s = 2 * std::sqrt(1 + r[i][i] - r[j][j] - r[k][k]);
        if (s > 0) {
            q[i] = s / 4;
            q[j] = (r[i][j] + r[j][i]) / s;
            q[k] = (r[i][k] + r[k][i]) / s;
            q[3] = (r[j][k] - r[k][j]) / s;
        } else {
            q = {0, 0, 0, 1};
        }
    }
    return d;
}

Vec3d eulerFromQuaternion(const std::array<double, 4>& q) {
    const double n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (n == 0) return {0, 0, 0};
    const double x = q[0], y = q[1], z = q[2], w = q[3], s = 2 / n;
    const Mat4d m = {1 - s * (y * y + z * z),
                     s * (x * y + z * w),
                     s * (x * z - y * w),
                     0,
                     s * (x * y - z * w),
                     1 - s * (x * x + z * z),
                     s * (y * z + x * w),
                     0,
                     s * (x * z + y * w),
                     s * (y * z - x * w),
                     1 - s * (x * x + y * y),
                     0,
                     0,
                     0,
                     0,
                     1};
    return decompose(m, RotateOrder::xyz).rotate;
}

}  // namespace purl::host
