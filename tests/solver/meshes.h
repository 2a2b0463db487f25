// Small meshes for tests.
#pragma once
#include <algorithm>
#include <map>
#include <utility>

#include "solver/core/random.h"
#include "solver/scene.h"

namespace purl {

inline TriangleMesh boxMesh(Vec3 low, Vec3 high) {
    TriangleMesh mesh;
    for (int i = 0; i < 8; ++i)
        mesh.vertices.edit().push_back({i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z});
    mesh.triangles = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                      2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    return mesh;
}

// A horizontal sheet of one square, facing up.
inline TriangleMesh sheetMesh(Vec3 center, float half) {
    TriangleMesh mesh;
    for (const auto& [x, z] : {std::pair{-half, -half}, {-half, half}, {half, half}, {half, -half}})
        mesh.vertices.edit().push_back(center + Vec3{x, 0, z});
    mesh.triangles = {0, 1, 2, 0, 2, 3};
    return mesh;
}

// An octahedron whose faces are split `levels` times and pushed out to the sphere.
inline TriangleMesh sphereMesh(Vec3 center, float radius, int levels) {
    std::vector<Vec3> points = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    std::vector<int> faces = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    for (int level = 0; level < levels; ++level) {
        std::map<std::pair<int, int>, int> middles;
        const auto middle = [&](int a, int b) {
            const auto [entry, isNew] = middles.insert({std::minmax(a, b), static_cast<int>(points.size())});
            if (isNew) points.push_back(normalized(points[a] + points[b]));
            return entry->second;
        };
        std::vector<int> finer;
        for (size_t f = 0; f < faces.size(); f += 3) {
            const int a = faces[f], b = faces[f + 1], c = faces[f + 2];
            const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            for (const int v : {a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca}) finer.push_back(v);
        }
        faces = finer;
    }
    for (Vec3& p : points) p = center + radius * p;
    return {points, faces};
}

// A number in [-1, 1) and a point of the cube [-1, 1)³.
inline float randomSigned(uint64_t seed, uint64_t i) { return 2 * randomUnit(seed, i) - 1; }
inline Vec3 randomPoint(uint64_t seed, uint64_t i) {
    return {randomSigned(seed, 3 * i), randomSigned(seed, 3 * i + 1), randomSigned(seed, 3 * i + 2)};
}

// A rotation by `angle` about an axis of any length.
inline Mat3 turned(Vec3 axis, float angle) {
    const Vec3 n = normalized(axis);
    const auto turn = [&](Vec3 v) {
        return std::cos(angle) * v + std::sin(angle) * cross(n, v) + (1 - std::cos(angle)) * dot(n, v) * n;
    };
    return {turn({1, 0, 0}), turn({0, 1, 0}), turn({0, 0, 1})};
}

}  // namespace purl
