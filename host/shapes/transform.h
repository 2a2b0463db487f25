// Composes and decomposes the matrices of transforms and joints exactly like Maya: row vectors (p' = p M), row-major
// storage, centimetres and radians.
#pragma once
#include <array>

namespace purl::host {

using Vec3d = std::array<double, 3>;
using Mat4d = std::array<double, 16>;  // m[4 * row + column]; the translation is row 3

enum class RotateOrder { xyz, yzx, zxy, xzy, yxz, zyx };  // the values of Maya's .rotateOrder

inline constexpr Mat4d kIdentity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

// The attributes of a transform node; the extra fields of joints are identity for a plain transform.
struct TransformParts {
    Vec3d translate{0, 0, 0};
    Vec3d rotate{0, 0, 0};  // radians
    RotateOrder rotateOrder = RotateOrder::xyz;
    Vec3d scale{1, 1, 1};
    Vec3d shear{0, 0, 0};  // xy, xz, yz
    Vec3d rotatePivot{0, 0, 0};
    Vec3d rotatePivotTranslate{0, 0, 0};
    Vec3d scalePivot{0, 0, 0};
    Vec3d scalePivotTranslate{0, 0, 0};
    Vec3d rotateAxis{0, 0, 0};            // radians
    Vec3d jointOrient{0, 0, 0};           // radians, joints only
    Vec3d inverseScale{1, 1, 1};          // scale of the parent joint, joints only
    bool segmentScaleCompensate = false;  // joints only: cancel the parent joint's scale
};

Mat4d multiply(const Mat4d& a, const Mat4d& b);
Mat4d inverse(const Mat4d& m);  // of a singular matrix: identity
Mat4d transpose(const Mat4d& m);
double determinant3(const Mat4d& m);  // of the upper left 3×3
Vec3d transformPoint(const Vec3d& p, const Mat4d& m);
Mat4d translation(const Vec3d& t);
Mat4d scaling(const Vec3d& s);
Mat4d rotation(const Vec3d& radians, RotateOrder order);

// The local matrix of a node: .matrix.
Mat4d compose(const TransformParts& parts);

// T, R, S and shear for which compose() returns m. Angles are those nearest to zero.
struct Decomposed {
    Vec3d translate, rotate, scale, shear;
    std::array<double, 4> quaternion;  // x y z w
};
Decomposed decompose(const Mat4d& m, RotateOrder order);

Vec3d eulerFromQuaternion(const std::array<double, 4>& q);  // x y z w → radians about x, then y, then z

}  // namespace purl::host
