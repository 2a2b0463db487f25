#include "render/view.h"

#include <algorithm>
#include <array>
#include <map>

namespace purl {

namespace {

// Edges (lower vertex first) with the normals of their triangles.
using Edges = std::map<std::pair<int, int>, std::vector<Vec3>>;

Edges edgesOf(const Mesh& mesh) {
    Edges edges;
    for (size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
        const int* v = &mesh.triangles[t];
        const Vec3 a = mesh.positions[v[0]], b = mesh.positions[v[1]], c = mesh.positions[v[2]];
        const Vec3 normal = normalized(cross(b - a, c - a));
        for (int k = 0; k < 3; ++k) edges[std::minmax({v[k], v[(k + 1) % 3]})].push_back(normal);
    }
    return edges;
}

}  // namespace

MeshLook matte(const Mesh& mesh, Vec3 color) {
    MeshLook look;
    look.mesh = &mesh;
    look.color = color;
    return look;
}

MeshLook water(const Mesh& mesh, Vec3 color) {
    MeshLook look;
    look.mesh = &mesh;
    look.material = Material::water;
    look.color = color;
    look.roughness = 0.12f;
    look.creaseAngle = 3.15f;
    return look;
}

MeshLook glass(const Mesh& mesh) {
    MeshLook look;
    look.mesh = &mesh;
    look.material = Material::glass;
    look.color = {1, 1, 1};
    look.roughness = 0.1f;
    return look;
}

std::vector<Light> studioLights(Studio studio) {
    Light key;
    key.color = {1.0f, 0.94f, 0.85f};
    key.intensity = 1.4f;
    key.direction = normalized({0.50f, -1.0f, -0.42f});
    if (studio != Studio::warm) return {key};
    key.color = {1.0f, 0.84f, 0.64f};
    key.intensity = 1.6f;
    Light fill;
    fill.color = {0.60f, 0.74f, 1.0f};
    fill.intensity = 0.22f;
    fill.direction = normalized({-0.8f, -0.5f, -0.3f});
    return {key, fill};
}

void setStudio(View& view, Studio studio) {
    view.lights = studioLights(studio);
    if (studio == Studio::warm) {
        view.background = {0.60f, 0.50f, 0.40f};
        view.wallTop = {0.40f, 0.36f, 0.37f};
        view.sky.zenith = {0.86f, 0.80f, 0.76f};
        view.sky.horizon = {0.84f, 0.70f, 0.56f};
        view.sky.floor = {0.50f, 0.38f, 0.28f};
        view.ground.color = {0.39f, 0.32f, 0.25f};
    }
    if (studio == Studio::plain) {
        view.background = {0.66f, 0.66f, 0.64f};
        view.wallTop = {1, 1, 1};
        view.ground.visible = false;
    }
}

Bounds boundsOf(const Mesh& mesh) {
    Bounds bounds;
    for (const Vec3 p : mesh.positions) {
        if (isFinite(p)) bounds.include(p);
    }
    return bounds;
}

Bounds boundsOf(const Points& points) {
    Bounds bounds;
    for (size_t i = 0; i < points.count(); ++i) {
        const Vec3 p = points.positions[i];
        const float r = points.radii.empty() ? 0 : points.radii[i];
        if (!isFinite(p) || !isFinite(r)) continue;
        bounds.include(p - Vec3{r, r, r});
        bounds.include(p + Vec3{r, r, r});
    }
    return bounds;
}

Bounds boundsOf(const Curves& curves) {
    Bounds bounds;
    for (size_t i = 0; i < curves.count(); ++i) {
        const Vec3 p = curves.positions[i];
        const float r = curves.widths.empty() ? 0 : curves.widths[i] / 2;
        if (!isFinite(p) || !isFinite(r)) continue;
        bounds.include(p - Vec3{r, r, r});
        bounds.include(p + Vec3{r, r, r});
    }
    return bounds;
}

Bounds boundsOf(const View& view) {
    Bounds all;
    const auto include = [&](const Bounds& bounds) {
        if (bounds.empty()) return;
        all.include(bounds.low);
        all.include(bounds.high);
    };
    for (const MeshLook& look : view.meshes) include(boundsOf(*look.mesh));
    for (const PointsLook& look : view.points) include(boundsOf(*look.points));
    for (const LiquidLook& look : view.liquids) include(boundsOf(*look.points));
    for (const GasLook& look : view.gases) include(boundsOf(*look.points));
    for (const YarnLook& look : view.yarns) include(boundsOf(*look.curves));
    for (const LinesLook& look : view.lines) {
        for (const Vec3 p : look.ends) {
            if (isFinite(p)) all.include(p);
        }
    }
    return all;
}

std::vector<Vec3> rampColors(const std::vector<float>& values, float low, float high) {
    static constexpr std::array<Vec3, 5> kRamp{{{0.012f, 0.060f, 0.250f},
                                                {0.020f, 0.250f, 0.620f},
                                                {0.250f, 0.620f, 0.850f},
                                                {0.880f, 0.900f, 0.880f},
                                                {0.850f, 0.220f, 0.080f}}};
    std::vector<Vec3> colors;
    colors.reserve(values.size());
    for (const float value : values) {
        const float t = high > low && isFinite(value) ? clamp((value - low) / (high - low), 0, 1) : 0;
        const float position = t * float(kRamp.size() - 1);
        const size_t step = std::min(size_t(position), kRamp.size() - 2);
        colors.push_back(lerp(kRamp[step], kRamp[step + 1], position - float(step)));
    }
    return colors;
}

std::vector<float> speeds(const Points& points) {
    std::vector<float> result(points.count(), 0.0f);
    for (size_t i = 0; i < points.velocities.size(); ++i) result[i] = length(points.velocities[i]);
    return result;
}

std::vector<Vec3> boxEdges(const Bounds& box) {
    std::vector<Vec3> ends;
    const auto corner = [&](int bits) {
        return Vec3{bits & 1 ? box.high.x : box.low.x, bits & 2 ? box.high.y : box.low.y,
                    bits & 4 ? box.high.z : box.low.z};
    };
    for (int from = 0; from < 8; ++from) {
        for (int axis = 1; axis < 8; axis *= 2) {
            if (from & axis) continue;
            ends.push_back(corner(from));
            ends.push_back(corner(from | axis));
        }
    }
    return ends;
}

std::vector<Vec3> featureEdges(const Mesh& mesh, float angle) {
    std::vector<Vec3> ends;
    for (const auto& [edge, normals] : edgesOf(mesh)) {
        if (normals.size() == 2 && dot(normals[0], normals[1]) > std::cos(angle)) continue;
        ends.push_back(mesh.positions[edge.first]);
        ends.push_back(mesh.positions[edge.second]);
    }
    return ends;
}

std::vector<Vec3> allEdges(const Mesh& mesh) {
    std::vector<Vec3> ends;
    for (const auto& edge : edgesOf(mesh)) {
        ends.push_back(mesh.positions[edge.first.first]);
        ends.push_back(mesh.positions[edge.first.second]);
    }
    return ends;
}

}  // namespace purl
