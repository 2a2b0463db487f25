// Camera and its view and projection matrices.
#pragma once
#include "solver/core/vec.h"

namespace purl {

// Column-major as in OpenGL; multiplies column vectors.
struct Mat4 {
    float m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
};

Mat4 operator*(const Mat4& a, const Mat4& b);
// Transforms the point (p, 1) by m and divides by w.
Vec3 project(const Mat4& m, Vec3 p);

struct Camera {
    Vec3 position{0, 0, 5};
    Mat3 axes;                 // orthonormal: x right, y up; the camera looks along −z
    float verticalFov = 0.6f;  // radians
    float nearClip = 0.0f;     // clip limits; within them the renderer
    float farClip = 1e30f;     // fits the depth range to the scene
};

// Looks from `position` at `target`, with `up` pointing up in the image.
Camera lookAt(Vec3 position, Vec3 target, Vec3 up = {0, 1, 0});

// The closest camera looking along −`from` that frames the bounds, leaving `margin` (fraction of the image) free on
// each side.
Camera fitCamera(const Bounds& bounds, float aspect, Vec3 from = {0.55f, 0.42f, 1}, float margin = 0.08f);

// World to view.
Mat4 viewMatrix(const Camera& camera);
// View to OpenGL clip space: depth −1 at `nearest`, 1 at `farthest`.
Mat4 perspective(float verticalFov, float aspect, float nearest, float farthest);
// View volume |x|, |y| < radius, −z from `nearest` to `farthest`.
Mat4 orthographic(float radius, float nearest, float farthest);

}  // namespace purl
