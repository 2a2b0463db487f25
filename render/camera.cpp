#include "render/camera.h"

#include <algorithm>

namespace purl {

Mat4 operator*(const Mat4& a, const Mat4& b) {
    Mat4 product;
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 4; ++row) {
            float sum = 0;
            for (int k = 0; k < 4; ++k) sum += a.m[4 * k + row] * b.m[4 * column + k];
            product.m[4 * column + row] = sum;
        }
    }
    return product;
}

Vec3 project(const Mat4& m, Vec3 p) {
    float r[4];
    for (int row = 0; row < 4; ++row) r[row] = m.m[row] * p.x + m.m[4 + row] * p.y + m.m[8 + row] * p.z + m.m[12 + row];
    return Vec3{r[0], r[1], r[2]} / r[3];
}

Camera lookAt(Vec3 position, Vec3 target, Vec3 up) {
    Camera camera;
    camera.position = position;
    camera.axes.z = normalized(position - target, {0, 0, 1});
    const Vec3 fallback =
        std::abs(camera.axes.z.x) < 0.9f ? Vec3{1, 0, 0} : Vec3{0, 0, 1};  // used when up is parallel to the view
    const Vec3 right = cross(up, camera.axes.z);
    camera.axes.x = normalized(lengthSquared(right) > 1e-10f ? right : fallback);
    camera.axes.y = normalized(cross(camera.axes.z, camera.axes.x));
    camera.axes.x = cross(camera.axes.y, camera.axes.z);
    return camera;
}

Camera fitCamera(const Bounds& bounds, float aspect, Vec3 from, float margin) {
    const Bounds box = bounds.empty() ? Bounds{{-1, -1, -1}, {1, 1, 1}} : bounds;
    const Vec3 center = box.center();
    Camera camera = lookAt(center + normalized(from), center);

    // In camera axes, a point (p, z) is inside the frustum when |p − c| ≤ (d − z) t for p = x and p = y, where t is the
    // tangent of half the field of view and (c, d) the camera position. So max(p + z t) − d t ≤ c ≤ min(p − z t) + d t,
    // which gives d and c.
    const float tangent = std::tan(camera.verticalFov / 2) * (1 - 2 * margin);
    float offset[2], distance = 0;
    for (int side = 0; side < 2; ++side) {
        const float t = side == 0 ? tangent * aspect : tangent;
        float highest = -1e30f, lowest = 1e30f;
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3 p = Vec3{corner & 1 ? box.high.x : box.low.x, corner & 2 ? box.high.y : box.low.y,
                                corner & 4 ? box.high.z : box.low.z} -
                           center;
            const float s = dot(p, side == 0 ? camera.axes.x : camera.axes.y), z = dot(p, camera.axes.z);
            highest = std::max(highest, s + z * t);
            lowest = std::min(lowest, s - z * t);
        }
        offset[side] = (highest + lowest) / 2;
        distance = std::max(distance, (highest - lowest) / (2 * t));
    }
    // a single point has zero extent; keep a minimum distance
    distance = std::max(distance, 1e-3f * (1 + length(center)));
    camera.position = center + camera.axes * Vec3{offset[0], offset[1], distance};
    return camera;
}

Mat4 viewMatrix(const Camera& camera) {
    const Vec3 &x = camera.axes.x, &y = camera.axes.y, &z = camera.axes.z, &p = camera.position;
    return {{x.x, y.x, z.x, 0, x.y, y.y, z.y, 0, x.z, y.z, z.z, 0, -dot(x, p), -dot(y, p), -dot(z, p), 1}};
}

Mat4 perspective(float verticalFov, float aspect, float nearest, float farthest) {
    const float f = 1 / std::tan(verticalFov / 2), range = nearest - farthest;
    return {{f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (nearest + farthest) / range, -1, 0, 0,
             2 * nearest * farthest / range, 0}};
}

Mat4 orthographic(float radius, float nearest, float farthest) {
    const float s = 1 / radius, range = nearest - farthest;
    return {{s, 0, 0, 0, 0, s, 0, 0, 0, 0, 2 / range, 0, 0, 0, (nearest + farthest) / range, 1}};
}

}  // namespace purl
