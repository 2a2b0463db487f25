// Frames to reconstruct surfaces from, and measurements of meshes.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "solver/frame.h"
#include "tests/solver/testScenes.h"

namespace purl {

inline Frame frameOf(float spacing, float supportRadius, std::vector<Vec3> positions) {
    Frame frame;
    frame.bodies.push_back({"water", BodyKind::liquid, 1000, spacing, supportRadius, {0.1f, 0.2f, 0.3f}});
    frame.points.positions = std::move(positions);
    for (size_t i = 0; i < frame.points.count(); ++i) {
        frame.points.ids.edit().push_back(static_cast<int64_t>(i));
        frame.points.bodies.edit().push_back(0);
    }
    return frame;
}

inline Vec3 cellCenter(int x, int y, int z) {
    return {static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f, static_cast<float>(z) + 0.5f};
}

// Particles of a cubic lattice within a ball.
inline std::vector<Vec3> latticeBall(float spacing, float radius, Vec3 center = {}) {
    std::vector<Vec3> inside;
    const int n = static_cast<int>(radius / spacing) + 1;
    for (int z = -n; z <= n; ++z)
        for (int y = -n; y <= n; ++y)
            for (int x = -n; x <= n; ++x) {
                const Vec3 p = spacing * cellCenter(x, y, z);
                if (length(p) <= radius) inside.push_back(center + p);
            }
    return inside;
}

// A lattice of spacing 1 starting at the origin, each particle displaced by up to `jitter` along each axis.
inline std::vector<Vec3> latticeBlock(int nx, int ny, int nz, float jitter = 0) {
    return test::jittered(test::lattice(nx, ny, nz, 1), jitter, 7);
}

inline std::vector<Vec3> randomCloud(int count, float size, uint64_t seed) {
    return test::jittered(std::vector<Vec3>(static_cast<size_t>(count)), 0.5f * size, seed);
}

// Every edge is traversed once in each direction, and the triangles around a vertex form one fan: a closed 2-manifold.
inline ::testing::AssertionResult isClosed(const Mesh& mesh) {
    std::map<std::pair<int, int>, int> next;  // directed edge → third corner of its triangle
    for (size_t t = 0; t < mesh.triangles.size(); t += 3)
        for (size_t k = 0; k < 3; ++k) {
            const int a = mesh.triangles[t + k], b = mesh.triangles[t + (k + 1) % 3];
            if (a < 0 || a >= static_cast<int>(mesh.positions.size()))
                return ::testing::AssertionFailure() << "no vertex " << a;
            if (!next.emplace(std::make_pair(a, b), mesh.triangles[t + (k + 2) % 3]).second)
                return ::testing::AssertionFailure() << "edge " << a << "→" << b << " runs twice";
        }
    std::vector<int> valence(mesh.positions.size());
    for (const auto& [edge, third] : next) {
        if (!next.count({edge.second, edge.first}))
            return ::testing::AssertionFailure() << "edge " << edge.first << "→" << edge.second << " is open";
        ++valence[edge.first];
    }
    std::vector<char> walked(mesh.positions.size());
    for (const auto& [edge, third] : next) {
        if (std::exchange(walked[edge.first], 1)) continue;
        int steps = 0, at = edge.second;
        do {
            at = next[{edge.first, at}];
            ++steps;
        } while (at != edge.second);
        if (steps != valence[edge.first])
            return ::testing::AssertionFailure() << "vertex " << edge.first << " has more than one fan";
    }
    for (const Vec3& p : mesh.positions)
        if (!isFinite(p)) return ::testing::AssertionFailure() << "a vertex is not finite";
    return ::testing::AssertionSuccess();
}

inline int eulerCharacteristic(const Mesh& mesh) {
    const int triangles = static_cast<int>(mesh.triangles.size() / 3);
    return static_cast<int>(mesh.positions.size()) - triangles * 3 / 2 + triangles;
}

inline double volumeOf(const Mesh& mesh) {
    double volume = 0;
    for (size_t t = 0; t < mesh.triangles.size(); t += 3) {
        const auto corner = [&](size_t k) { return mesh.positions[mesh.triangles[t + k]]; };
        volume += static_cast<double>(dot(corner(0), cross(corner(1), corner(2)))) / 6;
    }
    return volume;
}

inline double leastArea(const Mesh& mesh) {
    double least = 1e30;
    for (size_t t = 0; t < mesh.triangles.size(); t += 3) {
        const auto corner = [&](size_t k) { return mesh.positions[mesh.triangles[t + k]]; };
        least = std::min(least, 0.5 * double(length(cross(corner(1) - corner(0), corner(2) - corner(0)))));
    }
    return least;
}

inline int componentsOf(const Mesh& mesh) {
    std::vector<int> root(mesh.positions.size());
    std::iota(root.begin(), root.end(), 0);
    const auto find = [&](int i) {
        while (root[i] != i) i = root[i] = root[root[i]];
        return i;
    };
    for (size_t t = 0; t < mesh.triangles.size(); t += 3)
        for (size_t k = 1; k < 3; ++k) root[find(mesh.triangles[t + k])] = find(mesh.triangles[t]);
    int count = 0;
    for (size_t i = 0; i < root.size(); ++i) count += find(static_cast<int>(i)) == static_cast<int>(i);
    return count;
}

// Height of the upper surface over the centre of a block that starts at (0, 0, 0): mean and variation.
struct Height {
    double mean = 0, rms = 0, tilt = 0;  // tilt: mean angle between normals and y, rad
};
inline Height topOf(const Mesh& mesh, Vec3 size, float margin) {
    double sum = 0, squares = 0, tilt = 0, count = 0;
    for (size_t i = 0; i < mesh.positions.size(); ++i) {
        const Vec3 p = mesh.positions[i];
        if (p.y < 0.5f * size.y || p.x < margin || p.x > size.x - margin || p.z < margin || p.z > size.z - margin)
            continue;
        sum += double(p.y);
        squares += double(p.y) * double(p.y);
        tilt += std::acos(std::min(1.0, double(mesh.normals[i].y)));
        ++count;
    }
    const double mean = sum / count;
    return {mean, std::sqrt(std::max(0.0, squares / count - mean * mean)), tilt / count};
}

}  // namespace purl
