// Camera: where a picture is taken from, and the matrices that follow from it.
#pragma once
#include "solver/core/vec.h"

namespace purl {

// Columns one after the other, as OpenGL reads them; acts on column vectors.
struct Mat4 {
    float m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
};

Mat4 operator*(const Mat4& a, const Mat4& b);
// The point (p, 1) taken through m and divided by its w.
Vec3 project(const Mat4& m, Vec3 p);

struct Camera {
    Vec3 position{0, 0, 5};
    Mat3 axes;                 // orthonormal: x right, y up; the camera looks along −z
    float verticalFov = 0.6f;  // radians, from the picture's lower edge to its upper
    float nearClip = 0.0f;     // nothing nearer or farther is drawn; within these limits
    float farClip = 1e30f;     // the renderer picks the range that suits its depth buffer
};

// Looks from `position` at `target`; `up` shows upwards in the picture.
Camera lookAt(Vec3 position, Vec3 target, Vec3 up = {0, 1, 0});

// The nearest camera looking along −`from` that holds all of the bounds, with `margin` of the picture left on each
// side.
Camera fitCamera(const Bounds& bounds, float aspect, Vec3 from = {0.55f, 0.42f, 1}, float margin = 0.08f);

// World to camera.
Mat4 viewMatrix(const Camera& camera);
// Camera to OpenGL's clip cube, depth −1 at `nearest` and 1 at `farthest`.
Mat4 perspective(float verticalFov, float aspect, float nearest, float farthest);
// The box |x|, |y| < radius, −z between `nearest` and `farthest`.
Mat4 orthographic(float radius, float nearest, float farthest);

}  // namespace purl
