// Counts intersections of cloths with themselves and each other.
#pragma once
#include <cmath>
#include <vector>

#include "solver/core/vec.h"
#include "solver/frame.h"
#include "solver/search/boxTree.h"

namespace purl::test {

struct Wide {
    double x, y, z;
};
inline Wide operator-(Wide a, Wide b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Wide wide(Vec3 a) { return {double(a.x), double(a.y), double(a.z)}; }
// Orientation: the sign of the volume that four points span: 1, −1, or 0 if they are coplanar within double precision.
// Coordinates are floats: their differences are exact, and sums of three products are accurate to 1e-15.
inline int sideOf(Wide a, Wide b, Wide c, Wide d) {
    const Wide p = b - a, q = c - a, r = d - a;
    const double terms[] = {p.x * q.y * r.z,  -p.x * q.z * r.y, p.y * q.z * r.x,
                            -p.y * q.x * r.z, p.z * q.x * r.y,  -p.z * q.y * r.x};
    double sum = 0, size = 0;
    for (const double term : terms) {
        sum += term;
        size += std::fabs(term);
    }
    return sum > 1e-15 * size ? 1 : sum < -1e-15 * size ? -1 : 0;
}

// Whether edge pq intersects triangle abc.
inline bool pierces(Vec3 p, Vec3 q, Vec3 a, Vec3 b, Vec3 c) {
    const Wide P = wide(p), Q = wide(q), A = wide(a), B = wide(b), C = wide(c);
    if (sideOf(A, B, C, P) * sideOf(A, B, C, Q) >= 0) return false;
    const int ab = sideOf(P, Q, A, B), bc = sideOf(P, Q, B, C), ca = sideOf(P, Q, C, A);
    return ab != 0 && ab == bc && bc == ca;
}

// Intersecting edge–triangle pairs. Tests every pair with overlapping boxes, except neighbours that share a point.
inline int crossingsOf(const std::vector<Vec3>& x, const std::vector<int>& triangles) {
    const auto at = [&](size_t k) { return x[triangles[k]]; };
    std::vector<Vec3> centers;
    for (size_t t = 0; t < triangles.size(); t += 3) centers.push_back((at(t) + at(t + 1) + at(t + 2)) / 3.0f);
    const std::vector<int> order = BoxTree::mortonOrder(centers);
    BoxTree tree(Device::cpu(1));
    tree.boxes().resize(static_cast<int>(order.size()));
    for (int place = 0; place < tree.boxes().size(); ++place) {
        Bounds box;
        for (size_t k = 0; k < 3; ++k) box.include(at(3 * static_cast<size_t>(order[place]) + k));
        tree.boxes()[place] = box;
    }
    tree.fit();
    int crossings = 0;
    for (int place = 0; place < tree.boxes().size(); ++place) {
        const size_t t = 3 * static_cast<size_t>(order[place]);
        tree.view().forEachOverlap(tree.boxes()[place], 0, [&](int other) {
            const size_t u = 3 * static_cast<size_t>(order[other]);
            for (size_t k = 0; k < 3; ++k) {
                const int p = triangles[t + k], q = triangles[t + (k + 1) % 3];
                bool shared = false;
                for (size_t m = 0; m < 3; ++m) shared = shared || triangles[u + m] == p || triangles[u + m] == q;
                if (!shared && pierces(at(t + k), at(t + (k + 1) % 3), at(u), at(u + 1), at(u + 2))) ++crossings;
            }
        });
    }
    return crossings;
}

// Over all cloths of a frame.
inline int crossingsIn(const Frame& frame) {
    std::vector<Vec3> x;
    std::vector<int> triangles;
    for (const Mesh& mesh : frame.meshes) {
        if (mesh.kind != MeshKind::cloth) continue;
        for (const int corner : mesh.triangles) triangles.push_back(corner + static_cast<int>(x.size()));
        x.insert(x.end(), mesh.positions.begin(), mesh.positions.end());
    }
    return crossingsOf(x, triangles);
}

}  // namespace purl::test
