// Vectors, points, matrices and rotations. Points are rows: p' = p M.
#include <maya/MBoundingBox.h>
#include <maya/MColor.h>
#include <maya/MEulerRotation.h>
#include <maya/MFloatPoint.h>
#include <maya/MMatrix.h>
#include <maya/MPoint.h>
#include <maya/MQuaternion.h>
#include <maya/MTransformationMatrix.h>
#include <maya/MTypeId.h>

#include <algorithm>
#include <cmath>

#include "solver/core/math.h"

namespace Autodesk::Maya::OpenMayaHost {

const MVector MVector::zero(0, 0, 0), MVector::one(1, 1, 1), MVector::xAxis(1, 0, 0), MVector::yAxis(0, 1, 0),
    MVector::zAxis(0, 0, 1), MVector::xNegAxis(-1, 0, 0), MVector::yNegAxis(0, -1, 0), MVector::zNegAxis(0, 0, -1);
const MPoint MPoint::origin;
const MFloatVector MFloatVector::zero(0, 0, 0), MFloatVector::one(1, 1, 1), MFloatVector::xAxis(1, 0, 0),
    MFloatVector::yAxis(0, 1, 0), MFloatVector::zAxis(0, 0, 1);
const MFloatPoint MFloatPoint::origin;
const MMatrix MMatrix::identity;
const MQuaternion MQuaternion::identity;
const MEulerRotation MEulerRotation::identity;

// --- vectors and points

MVector::MVector(const MFloatVector& v) : x(double(v.x)), y(double(v.y)), z(double(v.z)) {}
MVector::MVector(const MPoint& p) : x(p.x), y(p.y), z(p.z) {}

MStatus MVector::get(double d[3]) const {
    d[0] = x, d[1] = y, d[2] = z;
    return MStatus::kSuccess;
}

MVector MVector::operator*(const MMatrix& m) const {
    return {x * m(0, 0) + y * m(1, 0) + z * m(2, 0), x * m(0, 1) + y * m(1, 1) + z * m(2, 1),
            x * m(0, 2) + y * m(1, 2) + z * m(2, 2)};
}

MVector operator*(const MMatrix& m, const MVector& v) { return v * m.transpose(); }

MVector MVector::normal() const {
    MVector n = *this;
    n.normalize();
    return n;
}
MStatus MVector::normalize() {
    const double l = length();
    if (!(l > 0)) return MStatus::kFailure;
    *this /= l;
    return MStatus::kSuccess;
}

double MVector::angle(const MVector& o) const { return purl::atan2((*this ^ o).length(), *this * o); }
bool MVector::isEquivalent(const MVector& o, double t) const { return (*this - o).length() <= t; }
bool MVector::isParallel(const MVector& o, double t) const {
    return std::abs(std::abs(normal() * o.normal()) - 1) <= t;
}
MVector MVector::transformAsNormal(const MMatrix& m) const { return *this * m.inverse().transpose(); }

MPoint::MPoint(const MFloatPoint& p) : x(double(p.x)), y(double(p.y)), z(double(p.z)), w(double(p.w)) {}

MStatus MPoint::get(double d[4]) const {
    d[0] = x, d[1] = y, d[2] = z, d[3] = w;
    return MStatus::kSuccess;
}

MPoint MPoint::operator*(const MMatrix& m) const {
    auto column = [&](unsigned c) { return x * m(0, c) + y * m(1, c) + z * m(2, c) + w * m(3, c); };
    return {column(0), column(1), column(2), column(3)};
}

MPoint& MPoint::cartesianize() {
    if (w != 0 && w != 1) *this = {x / w, y / w, z / w, 1};
    return *this;
}
bool MPoint::isEquivalent(const MPoint& o, double t) const { return distanceTo(o) <= t; }

MFloatVector::MFloatVector(const MVector& v) : x(float(v.x)), y(float(v.y)), z(float(v.z)) {}
MFloatVector::MFloatVector(const MFloatPoint& p) : x(p.x), y(p.y), z(p.z) {}
MStatus MFloatVector::get(float f[3]) const {
    f[0] = x, f[1] = y, f[2] = z;
    return MStatus::kSuccess;
}
MStatus MFloatVector::normalize() {
    const float l = length();
    if (!(l > 0)) return MStatus::kFailure;
    *this /= l;
    return MStatus::kSuccess;
}
bool MFloatVector::isEquivalent(const MFloatVector& o, float t) const { return (*this - o).length() <= t; }

MFloatPoint::MFloatPoint(const MPoint& p) : x(float(p.x)), y(float(p.y)), z(float(p.z)), w(float(p.w)) {}
MStatus MFloatPoint::get(float f[4]) const {
    f[0] = x, f[1] = y, f[2] = z, f[3] = w;
    return MStatus::kSuccess;
}
bool MFloatPoint::isEquivalent(const MFloatPoint& o, float t) const { return distanceTo(o) <= t; }

// --- matrices

MMatrix::MMatrix(const double m[4][4]) { std::copy(&m[0][0], &m[0][0] + 16, &matrix[0][0]); }
MMatrix::MMatrix(const float m[4][4]) {
    for (int k = 0; k < 16; ++k) matrix[k / 4][k % 4] = double(m[k / 4][k % 4]);
}

MStatus MMatrix::get(double m[4][4]) const {
    std::copy(&matrix[0][0], &matrix[0][0] + 16, &m[0][0]);
    return MStatus::kSuccess;
}
MStatus MMatrix::get(float m[4][4]) const {
    for (int k = 0; k < 16; ++k) m[k / 4][k % 4] = float(matrix[k / 4][k % 4]);
    return MStatus::kSuccess;
}

MMatrix& MMatrix::setToIdentity() {
    for (int k = 0; k < 16; ++k) matrix[k / 4][k % 4] = k / 4 == k % 4;
    return *this;
}

MMatrix MMatrix::operator*(const MMatrix& o) const {
    MMatrix p;
    for (unsigned r = 0; r < 4; ++r)
        for (unsigned c = 0; c < 4; ++c) {
            double sum = 0;
            for (unsigned k = 0; k < 4; ++k) sum += (*this)(r, k) * o(k, c);
            p(r, c) = sum;
        }
    return p;
}

template <class F>
static MMatrix matrixFrom(F f) {
    MMatrix m;
    for (unsigned k = 0; k < 16; ++k) m(k / 4, k % 4) = f(k / 4, k % 4);
    return m;
}
MMatrix MMatrix::operator+(const MMatrix& o) const {
    return matrixFrom([&](unsigned r, unsigned c) { return (*this)(r, c) + o(r, c); });
}
MMatrix MMatrix::operator-(const MMatrix& o) const {
    return matrixFrom([&](unsigned r, unsigned c) { return (*this)(r, c) - o(r, c); });
}
MMatrix MMatrix::operator*(double s) const {
    return matrixFrom([&](unsigned r, unsigned c) { return (*this)(r, c) * s; });
}
bool MMatrix::operator==(const MMatrix& o) const {
    return std::equal(&matrix[0][0], &matrix[0][0] + 16, &o.matrix[0][0]);
}
MMatrix MMatrix::transpose() const {
    return matrixFrom([&](unsigned r, unsigned c) { return (*this)(c, r); });
}

// Gauss-Jordan with partial pivoting; returns the determinant, 0 if there is no inverse.
static double invert(MMatrix m, MMatrix& inverse) {
    inverse.setToIdentity();
    double determinant = 1;
    for (unsigned c = 0; c < 4; ++c) {
        unsigned pivot = c;
        for (unsigned r = c + 1; r < 4; ++r)
            if (std::abs(m(r, c)) > std::abs(m(pivot, c))) pivot = r;
        if (m(pivot, c) == 0) return 0;
        if (pivot != c) {
            determinant = -determinant;
            for (unsigned k = 0; k < 4; ++k) {
                std::swap(m(pivot, k), m(c, k));
                std::swap(inverse(pivot, k), inverse(c, k));
            }
        }
        const double p = m(c, c);
        determinant *= p;
        for (unsigned k = 0; k < 4; ++k) m(c, k) /= p, inverse(c, k) /= p;
        for (unsigned r = 0; r < 4; ++r) {
            const double f = m(r, c);
            if (r == c || f == 0) continue;
            for (unsigned k = 0; k < 4; ++k) m(r, k) -= f * m(c, k), inverse(r, k) -= f * inverse(c, k);
        }
    }
    return determinant;
}

MMatrix MMatrix::inverse() const {
    MMatrix m;
    return invert(*this, m) == 0 ? MMatrix() : m;
}
double MMatrix::det4x4() const {
    MMatrix m;
    return invert(*this, m);
}
double MMatrix::det3x3() const {
    const MVector a(matrix[0]), b(matrix[1]), c(matrix[2]);
    return (a ^ b) * c;
}
bool MMatrix::isSingular() const { return std::abs(det4x4()) < 1e-14; }
bool MMatrix::isEquivalent(const MMatrix& o, double t) const {
    for (unsigned k = 0; k < 16; ++k)
        if (!(std::abs((*this)(k / 4, k % 4) - o(k / 4, k % 4)) <= t)) return false;
    return true;
}

// --- rotations

// The axes of the first, second and third rotation.
static const int kAxes[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}};

static MMatrix turn(int axis, double angle) {
    MMatrix m;
    const unsigned a = unsigned(axis + 1) % 3, b = unsigned(axis + 2) % 3;
    const double c = purl::cos(angle), s = purl::sin(angle);
    m(a, a) = c, m(a, b) = s, m(b, a) = -s, m(b, b) = c;
    return m;
}

MMatrix MEulerRotation::asMatrix() const {
    const double angles[3] = {x, y, z};
    const int* axes = kAxes[order];
    return turn(axes[0], angles[axes[0]]) * turn(axes[1], angles[axes[1]]) * turn(axes[2], angles[axes[2]]);
}

MQuaternion MEulerRotation::asQuaternion() const {
    MQuaternion q;
    q = asMatrix();
    return q;
}

// For order ijk the matrix is Ri Rj Rk; its element (i,k) is −sin θj for the cyclic orders and +sin θj for the others.
MEulerRotation MEulerRotation::decompose(const MMatrix& given, RotationOrder order) {
    const int* axes = kAxes[order];
    const unsigned i = unsigned(axes[0]), j = unsigned(axes[1]), k = unsigned(axes[2]);
    const double sign = (i + 1) % 3 == j ? 1 : -1;
    MMatrix m = given;
    for (unsigned r = 0; r < 3; ++r) {
        const double l = MVector(m[r]).length();
        if (l > 0)
            for (unsigned c = 0; c < 3; ++c) m(r, c) /= l;
    }
    double angle[3];
    const double cosine = std::sqrt(m(i, i) * m(i, i) + m(i, j) * m(i, j));
    angle[j] = purl::atan2(-sign * m(i, k), cosine);
    if (cosine > 1e-9) {
        angle[i] = purl::atan2(sign * m(j, k), m(k, k));
        angle[k] = purl::atan2(sign * m(i, j), m(i, i));
    } else {  // gimbal lock: the whole rotation goes into the first angle
        angle[i] = purl::atan2(-sign * m(k, j), m(j, j));
        angle[k] = 0;
    }
    return {angle[0], angle[1], angle[2], order};
}

MQuaternion::MQuaternion(double angle, const MVector& axis) {
    const MVector n = axis.normal() * purl::sin(angle / 2);
    *this = {n.x, n.y, n.z, purl::cos(angle / 2)};
}

MQuaternion::MQuaternion(const MVector& from, const MVector& to) {
    const MVector a = from.normal(), b = to.normal();
    const double d = a * b;
    if (d < -1 + 1e-12) {  // opposite vectors: any perpendicular axis
        const MVector across = std::abs(a.x) < 0.9 ? (a ^ MVector::xAxis) : (a ^ MVector::yAxis);
        const MVector n = across.normal();
        *this = {n.x, n.y, n.z, 0};
        return;
    }
    const MVector c = a ^ b;
    *this = MQuaternion(c.x, c.y, c.z, 1 + d).normal();
}

MQuaternion& MQuaternion::operator=(const MMatrix& m) {
    const double trace = m(0, 0) + m(1, 1) + m(2, 2);
    if (trace > 0) {
        const double s = 2 * std::sqrt(trace + 1);
        return *this = MQuaternion((m(1, 2) - m(2, 1)) / s, (m(2, 0) - m(0, 2)) / s, (m(0, 1) - m(1, 0)) / s, s / 4);
    }
    unsigned i = m(1, 1) > m(0, 0) ? 1 : 0;
    if (m(2, 2) > m(i, i)) i = 2;
    const unsigned j = (i + 1) % 3, k = (i + 2) % 3;
    const double s = 2 * std::sqrt(std::max(0.0, 1 + m(i, i) - m(j, j) - m(k, k)));
    double v[3];
    v[i] = s / 4;
    v[j] = (m(i, j) + m(j, i)) / s;
    v[k] = (m(i, k) + m(k, i)) / s;
    return *this = MQuaternion(v[0], v[1], v[2], (m(j, k) - m(k, j)) / s);
}

// Same order as matrix multiplication: rotates by this first, then by o.
MQuaternion MQuaternion::operator*(const MQuaternion& o) const {
    return {o.w * x + o.x * w + o.y * z - o.z * y, o.w * y - o.x * z + o.y * w + o.z * x,
            o.w * z + o.x * y - o.y * x + o.z * w, o.w * w - o.x * x - o.y * y - o.z * z};
}

MMatrix MQuaternion::asMatrix() const {
    MMatrix m;
    m(0, 0) = 1 - 2 * (y * y + z * z), m(0, 1) = 2 * (x * y + z * w), m(0, 2) = 2 * (x * z - y * w);
    m(1, 0) = 2 * (x * y - z * w), m(1, 1) = 1 - 2 * (x * x + z * z), m(1, 2) = 2 * (y * z + x * w);
    m(2, 0) = 2 * (x * z + y * w), m(2, 1) = 2 * (y * z - x * w), m(2, 2) = 1 - 2 * (x * x + y * y);
    return m;
}

MEulerRotation MQuaternion::asEulerRotation() const {
    return MEulerRotation::decompose(asMatrix(), MEulerRotation::kXYZ);
}
MQuaternion MQuaternion::normal() const {
    const double l = std::sqrt(x * x + y * y + z * z + w * w);
    return l > 0 ? MQuaternion(x / l, y / l, z / l, w / l) : MQuaternion();
}
MQuaternion MQuaternion::inverse() const {
    const double l2 = x * x + y * y + z * z + w * w;
    return l2 > 0 ? MQuaternion(-x / l2, -y / l2, -z / l2, w / l2) : MQuaternion();
}

// --- matrix decomposition: M = S · H · R · T, H unit upper shear (xy, xz, yz)

MTransformationMatrix::MTransformationMatrix(const MMatrix& m) {
    translation_ = MVector(m[3]);
    MVector a(m[0]), b(m[1]), c(m[2]);
    scale_[0] = a.length();
    a.normalize();
    shear_[0] = a * b;
    b -= a * shear_[0];
    scale_[1] = b.length();
    b.normalize();
    shear_[1] = a * c;
    c -= a * shear_[1];
    shear_[2] = b * c;
    c -= b * shear_[2];
    scale_[2] = c.length();
    c.normalize();
    if ((a ^ b) * c < 0) {  // mirrored: negate the third axis
        scale_[2] = -scale_[2];
        c = -c;
    }
    // Rows of S·H·R: a·sx ; (b + hxy a)·sy … so the shears are relative to the row's own scale.
    if (scale_[1] != 0) shear_[0] /= scale_[1];
    if (scale_[2] != 0) shear_[1] /= scale_[2], shear_[2] /= scale_[2];
    MMatrix r;
    for (unsigned k = 0; k < 3; ++k) r(0, k) = a[k], r(1, k) = b[k], r(2, k) = c[k];
    rotation_ = MEulerRotation::decompose(r, MEulerRotation::kXYZ);
}

MMatrix MTransformationMatrix::asMatrix() const {
    MMatrix scale, shear;
    for (unsigned k = 0; k < 3; ++k) scale(k, k) = scale_[k];
    shear(1, 0) = shear_[0], shear(2, 0) = shear_[1], shear(2, 1) = shear_[2];
    MMatrix m = scale * shear * rotation_.asMatrix();
    for (unsigned k = 0; k < 3; ++k) m(3, k) = translation_[k];
    return m;
}

MVector MTransformationMatrix::getTranslation(MSpace::Space, MStatus* status) const {
    if (status) *status = MStatus::kSuccess;
    return translation_;
}
MStatus MTransformationMatrix::setTranslation(const MVector& v, MSpace::Space) {
    translation_ = v;
    return MStatus::kSuccess;
}
MStatus MTransformationMatrix::getScale(double s[3], MSpace::Space) const {
    std::copy(scale_, scale_ + 3, s);
    return MStatus::kSuccess;
}
MStatus MTransformationMatrix::setScale(const double s[3], MSpace::Space) {
    std::copy(s, s + 3, scale_);
    return MStatus::kSuccess;
}
MStatus MTransformationMatrix::getShear(double s[3], MSpace::Space) const {
    std::copy(shear_, shear_ + 3, s);
    return MStatus::kSuccess;
}
MEulerRotation MTransformationMatrix::eulerRotation() const { return rotation_; }
MQuaternion MTransformationMatrix::rotation() const { return rotation_.asQuaternion(); }
MStatus MTransformationMatrix::getRotation(double r[3], RotationOrder& order) const {
    r[0] = rotation_.x, r[1] = rotation_.y, r[2] = rotation_.z;
    order = RotationOrder(int(rotation_.order) + 1);
    return MStatus::kSuccess;
}
MStatus MTransformationMatrix::setRotation(const double r[3], RotationOrder order) {
    if (order <= kInvalid || order >= kLast) return MStatus::kInvalidParameter;
    rotation_ = MEulerRotation(r[0], r[1], r[2], MEulerRotation::RotationOrder(int(order) - 1));
    return MStatus::kSuccess;
}
MTransformationMatrix& MTransformationMatrix::rotateTo(const MEulerRotation& r) {
    rotation_ = r;
    return *this;
}
MTransformationMatrix& MTransformationMatrix::rotateTo(const MQuaternion& q) {
    rotation_ = q.asEulerRotation();
    return *this;
}

// --- boxes

MBoundingBox::MBoundingBox(const MPoint& a, const MPoint& b) {
    expand(a);
    expand(b);
}
void MBoundingBox::clear() { *this = MBoundingBox(); }
void MBoundingBox::expand(const MPoint& p) {
    if (empty_) {
        min_ = max_ = p;
        empty_ = false;
    }
    for (unsigned k = 0; k < 3; ++k) {
        min_[k] = std::min(min_[k], p[k]);
        max_[k] = std::max(max_[k], p[k]);
    }
}
void MBoundingBox::expand(const MBoundingBox& b) {
    if (b.empty_) return;
    expand(b.min_);
    expand(b.max_);
}
void MBoundingBox::transformUsing(const MMatrix& m) {
    if (empty_) return;
    MBoundingBox out;
    for (int k = 0; k < 8; ++k)
        out.expand(MPoint(k & 1 ? max_.x : min_.x, k & 2 ? max_.y : min_.y, k & 4 ? max_.z : min_.z) * m);
    *this = out;
}
bool MBoundingBox::contains(const MPoint& p) const {
    if (empty_) return false;
    for (unsigned k = 0; k < 3; ++k)
        if (p[k] < min_[k] || p[k] > max_[k]) return false;
    return true;
}
bool MBoundingBox::intersects(const MBoundingBox& b, double t) const {
    if (empty_ || b.empty_) return false;
    for (unsigned k = 0; k < 3; ++k)
        if (b.min_[k] > max_[k] + t || b.max_[k] < min_[k] - t) return false;
    return true;
}
double MBoundingBox::width() const { return max_.x - min_.x; }
double MBoundingBox::height() const { return max_.y - min_.y; }
double MBoundingBox::depth() const { return max_.z - min_.z; }
MPoint MBoundingBox::center() const { return min_ + (max_ - min_) * 0.5; }
MPoint MBoundingBox::min() const { return min_; }
MPoint MBoundingBox::max() const { return max_; }

// --- printing

std::ostream& operator<<(std::ostream& out, const MVector& v) {
    return out << "[" << v.x << ", " << v.y << ", " << v.z << "]";
}
std::ostream& operator<<(std::ostream& out, const MPoint& p) {
    return out << "[" << p.x << ", " << p.y << ", " << p.z << ", " << p.w << "]";
}
std::ostream& operator<<(std::ostream& out, const MFloatVector& v) { return out << MVector(v); }
std::ostream& operator<<(std::ostream& out, const MFloatPoint& p) { return out << MPoint(p); }
std::ostream& operator<<(std::ostream& out, const MColor& c) {
    return out << "[" << c.r << ", " << c.g << ", " << c.b << ", " << c.a << "]";
}
std::ostream& operator<<(std::ostream& out, const MMatrix& m) {
    out << "[";
    for (unsigned k = 0; k < 16; ++k) out << (k ? k % 4 ? ", " : "; " : "") << m(k / 4, k % 4);
    return out << "]";
}
std::ostream& operator<<(std::ostream& out, const MQuaternion& q) {
    return out << "[" << q.x << ", " << q.y << ", " << q.z << ", " << q.w << "]";
}
std::ostream& operator<<(std::ostream& out, const MEulerRotation& r) {
    return out << "[" << r.x << ", " << r.y << ", " << r.z << "]";
}
std::ostream& operator<<(std::ostream& out, const MBoundingBox& b) { return out << b.min() << " - " << b.max(); }
std::ostream& operator<<(std::ostream& out, const MTypeId& id) {
    return out << "0x" << std::hex << id.id() << std::dec;
}

}  // namespace Autodesk::Maya::OpenMayaHost
