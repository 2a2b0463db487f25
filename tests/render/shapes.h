// Simple shapes for tests, and helpers to inspect images.
#pragma once
#include <cmath>

#include "render/picture.h"
#include "solver/frame.h"

namespace purl {

inline Mesh triangle(Vec3 a, Vec3 b, Vec3 c) {
    Mesh mesh;
    mesh.name = "triangle";
    mesh.positions = {a, b, c};
    mesh.triangles = {0, 1, 2};
    return mesh;
}

// Facing +z.
inline Mesh card(float x0, float y0, float x1, float y1, float z) {
    Mesh mesh;
    mesh.name = "card";
    mesh.positions = {{x0, y0, z}, {x1, y0, z}, {x1, y1, z}, {x0, y1, z}};
    mesh.triangles = {0, 1, 2, 0, 2, 3};
    return mesh;
}

inline Mesh box(const Bounds& b) {
    Mesh mesh;
    mesh.name = "box";
    for (int i = 0; i < 8; ++i) {
        mesh.positions.edit().push_back(
            {i & 1 ? b.high.x : b.low.x, i & 2 ? b.high.y : b.low.y, i & 4 ? b.high.z : b.low.z});
    }
    mesh.triangles = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                      2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    return mesh;
}

inline Mesh ball(Vec3 center, float radius, int rings) {
    Mesh mesh;
    mesh.name = "ball";
    const float step = 3.14159265f / float(rings);
    for (int j = 0; j <= rings; ++j) {
        for (int i = 0; i < 2 * rings; ++i) {
            const float down = step * float(j), around = step * float(i);
            mesh.positions.edit().push_back(center + radius * Vec3{std::sin(down) * std::cos(around), std::cos(down),
                                                                   -std::sin(down) * std::sin(around)});
        }
    }
    for (int j = 0; j < rings; ++j) {
        for (int i = 0; i < 2 * rings; ++i) {
            const int a = j * 2 * rings + i, b = j * 2 * rings + (i + 1) % (2 * rings);
            const int c = a + 2 * rings, d = b + 2 * rings;
            mesh.triangles.edit().insert(mesh.triangles.edit().end(), {a, c, b, b, c, d});
        }
    }
    return mesh;
}

inline int brightness(const Picture& picture, int x, int y) {
    const uint8_t* p = picture.pixel(x, y);
    return p[0] + p[1] + p[2];
}

inline bool isRed(const uint8_t* p) { return p[0] > 2 * p[1] && p[0] > 2 * p[2] && p[0] > 40; }
inline bool isGreen(const uint8_t* p) { return p[1] > 2 * p[0] && p[1] > 2 * p[2] && p[1] > 40; }

}  // namespace purl
