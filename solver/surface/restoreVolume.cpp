#include "solver/surface/restoreVolume.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "solver/core/math.h"

namespace purl {
namespace {

constexpr double kPi = 3.14159265358979323846;
// Components of up to kSmall particles are scaled fully, with a linear transition to none at kLarge: in larger ones
// some particles are not the nearest particle of any vertex.
constexpr int kSmall = 16, kLarge = 64;
// Relative volume error tolerated for large components: rounded edges and noise should not move the level of a pool.
constexpr double kVolumeTolerance = 0.03;
// Largest offset, inward and outward, in edge lengths of a particle's volume. Inward: a film of one layer must keep its
// two sides. It is larger on walls, where the lowest layer stays up to a spacing away and the mesh fills the gap.
constexpr double kMaxInward = 0.2, kMaxInwardOnWalls = 0.4, kMaxOutward = 0.35;
// Largest surface area, relative to a sphere of the same volume, of a small component that is scaled by more than 2.
constexpr double kMaxSurfaceRatio = 2;

// Union-find: for each vertex the lowest vertex index of its connected component.
std::vector<int> componentRoots(const Mesh& mesh) {
    std::vector<int> root(mesh.positions.size());
    std::iota(root.begin(), root.end(), 0);
    const auto find = [&](int v) {
        while (root[v] != v) {
            int& up = root[v];
            up = root[up];
            v = up;
        }
        return v;
    };
    for (size_t t = 0; t + 2 < mesh.triangles.size(); t += 3)
        for (size_t k = 1; k < 3; ++k) {
            const int a = find(mesh.triangles[t]), b = find(mesh.triangles[t + k]);
            if (a != b) root[std::max(a, b)] = std::min(a, b);
        }
    for (size_t v = 0; v < root.size(); ++v) root[v] = find(static_cast<int>(v));
    return root;
}

struct Component {
    double volume = 0;      // enclosed
    double center[3] = {};  // centroid, or centre of the contact area; during summation, times the volume and relative
                            // to the lowest vertex
    double foot[3] = {};    // sum of the positions of its vertices on walls
    int onWall = 0;         // number of vertices on walls
    double target = 0;      // volume of its particles
    double area = 0;        // of its free surface
    int particles = 0;
    double share = 0;  // blend weight: 1 small, 0 large
    double scale = 1;
};

}  // namespace

void restoreVolume(const std::vector<int>& nearest, const std::vector<float>& volume,
                   const std::vector<Vec3>& wallNormals, Mesh& mesh) {
    const auto isOnWall = [&](size_t vertex) { return !wallNormals.empty() && wallNormals[vertex] != Vec3{}; };
    const std::vector<int> root = componentRoots(mesh);
    std::vector<int> index(root.size(), -1);  // component index, stored at its lowest vertex
    std::vector<Component> components;
    for (size_t v = 0; v < root.size(); ++v)
        if (root[v] == static_cast<int>(v)) {
            index[v] = static_cast<int>(components.size());
            components.emplace_back();
        }
    const auto componentOf = [&](int vertex) { return index[root[vertex]]; };
    for (size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
        const int first = mesh.triangles[t];
        const Vec3 origin = mesh.positions[root[first]];
        const auto at = [&](size_t k) { return mesh.positions[mesh.triangles[t + k]] - origin; };
        const Vec3 a = at(0), b = at(1), c = at(2);
        const double sixth = static_cast<double>(dot(a, cross(b, c))) / 6;
        Component& component = components[componentOf(first)];
        component.volume += sixth;
        const bool free = !isOnWall(static_cast<size_t>(mesh.triangles[t])) ||
                          !isOnWall(static_cast<size_t>(mesh.triangles[t + 1])) ||
                          !isOnWall(static_cast<size_t>(mesh.triangles[t + 2]));
        if (free) component.area += 0.5 * static_cast<double>(length(cross(b - a, c - a)));
        for (int axis = 0; axis < 3; ++axis)
            component.center[axis] += sixth * static_cast<double>(a[axis] + b[axis] + c[axis]) / 4;
    }
    const auto largest = volume.empty() ? 0 : static_cast<double>(*std::max_element(volume.begin(), volume.end()));
    const auto isSmall = [&](const Component& component) {
        return component.volume > 0 && component.volume < 2 * kLarge * largest;
    };
    std::vector<std::pair<int, int>> owned;  // (component, particle)
    for (size_t v = 0; v < root.size(); ++v) {
        const int component = componentOf(static_cast<int>(v));
        if (nearest[v] >= 0 && isSmall(components[component])) owned.emplace_back(component, nearest[v]);
        if (!isOnWall(v)) continue;
        ++components[component].onWall;
        for (int axis = 0; axis < 3; ++axis)
            components[component].foot[axis] += static_cast<double>(mesh.positions[v][axis]);
    }
    std::sort(owned.begin(), owned.end());
    owned.erase(std::unique(owned.begin(), owned.end()), owned.end());
    for (const auto& [component, particle] : owned) {
        components[component].target += static_cast<double>(volume[particle]);
        ++components[component].particles;
    }
    for (size_t v = 0; v < root.size(); ++v) {
        if (root[v] != static_cast<int>(v)) continue;
        Component& component = components[index[v]];
        if (component.particles == 0 || component.particles >= kLarge) continue;
        for (int axis = 0; axis < 3; ++axis)
            component.center[axis] = component.onWall > 0 ? component.foot[axis] / component.onWall
                                                          : static_cast<double>(mesh.positions[v][axis]) +
                                                                component.center[axis] / component.volume;
        component.share = std::clamp(double(kLarge - component.particles) / (kLarge - kSmall), 0.0, 1.0);
        // Smoothing shrinks a drop of a cell or two by a third in each pass, preserving its shape. A sliver that
        // encloses almost no volume is not such a drop: its scaled surface is limited to kMaxSurfaceRatio times that of
        // a sphere.
        const double ball = cbrt(36 * kPi * component.target * component.target);
        const double maxScale =
            component.area > 0 ? std::max(2.0, std::sqrt(kMaxSurfaceRatio * ball / component.area)) : 2.0;
        const double full = std::clamp(cbrt(component.target / component.volume), 0.5, maxScale);
        component.scale = 1 + component.share * (full - 1);
    }
    // All larger components together: their surface is offset along its normals.
    Component large;
    for (const float v : volume) large.target += static_cast<double>(v);
    double area = 0;
    for (const Component& component : components) {
        large.volume += (1 - component.share) * component.volume;
        large.target -= component.share * component.target;
        area += (1 - component.share) * component.area;
    }
    const double edge = cbrt(largest), missing = large.target - large.volume;
    const double slack = kVolumeTolerance * large.target;
    const double beyond = missing - std::clamp(missing, -slack, slack);
    const double inwards = edge * (wallNormals.empty() ? kMaxInward : kMaxInwardOnWalls);
    const double offset = area > 0 ? std::clamp(beyond / area, -inwards, kMaxOutward * edge) : 0;
    std::vector<Vec3>& positions = mesh.positions.edit();
    for (size_t v = 0; v < root.size(); ++v) {
        const Component& component = components[componentOf(static_cast<int>(v))];
        // Vertices on a wall stay on it.
        const Vec3 n = mesh.normals[v];
        const Vec3 along = isOnWall(v) ? n - dot(n, wallNormals[v]) * wallNormals[v] : n;
        for (int axis = 0; axis < 3; ++axis) {
            const double x = static_cast<double>(positions[v][axis]);
            positions[v][axis] = static_cast<float>(x + (component.scale - 1) * (x - component.center[axis]) +
                                                    (1 - component.share) * offset * static_cast<double>(along[axis]));
        }
    }
}

}  // namespace purl
