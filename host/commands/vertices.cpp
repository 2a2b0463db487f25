#include "host/commands/vertices.h"

#include <algorithm>
#include <cmath>

#include "host/builtin/declare.h"

namespace purl::host {
namespace {

std::shared_ptr<const MeshData> meshShown(const NodePtr& shape) {
    const auto mesh = shape->plug("outMesh").data<MeshData>();
    if (!mesh) throw Error(shape->name + ": has no mesh");
    return mesh;
}

Vec3d vertexOf(const MeshData& mesh, int vertex) {
    Vec3d p;
    for (size_t k = 0; k < 3; ++k) p[k] = double(mesh.points[size_t(3 * vertex) + k]);
    return p;
}

}  // namespace

Mat4d worldOf(const Graph& graph, const NodePtr& node) {
    const auto paths = graph.dagPaths(*node);
    if (paths.empty()) throw Error(node->name + " is not in the DAG; expected a transform or a shape");
    return fromMaya(graph.worldMatrix(paths.front()));
}

std::vector<double> vertexAt(const Graph& graph, const NodePtr& shape, int vertex, bool world) {
    Vec3d p = vertexOf(*meshShown(shape), vertex);
    if (world) p = transformPoint(p, worldOf(graph, shape));
    const double unit = graph.units.cmPerUnit;
    return {p[0] / unit, p[1] / unit, p[2] / unit};
}

std::vector<Components> takeComponents(const Graph& graph, std::vector<std::string>& words) {
    std::vector<Components> all;
    std::vector<std::string> others;
    for (const std::string& word : words) {
        Components found;
        if (!verticesOfComponents(graph, word, found.shape, found.vertices)) {
            others.push_back(word);
            continue;
        }
        const auto known = std::find_if(all.begin(), all.end(), [&](const auto& c) { return c.shape == found.shape; });
        if (known == all.end())
            all.push_back(found);
        else
            known->vertices.insert(known->vertices.end(), found.vertices.begin(), found.vertices.end());
    }
    for (Components& components : all) {
        std::vector<int>& v = components.vertices;
        std::sort(v.begin(), v.end());
        v.erase(std::unique(v.begin(), v.end()), v.end());
    }
    words = others;
    return all;
}

void placeVertices(CommandContext& d, const Components& components, const std::function<Vec3d(const Vec3d&)>& place) {
    const NodePtr& shape = components.shape;
    const auto mesh = meshShown(shape);
    const Plug in = shape->plug("inMesh"), tweaks = shape->plug("pnts");
    if (in.isConnected() || !tweaks.elements().empty()) {
        std::vector<std::pair<int, Vec3d>> places;
        for (const int v : components.vertices) {
            const Vec3d before = vertexOf(*mesh, v), after = place(before);
            const Plug tweak = tweaks.element(v);
            const std::array<double, 3> now = tweak.peek() ? tweak.vec3() : std::array<double, 3>{0, 0, 0};
            places.push_back(
                {v, {now[0] + after[0] - before[0], now[1] + after[1] - before[1], now[2] + after[2] - before[2]}});
        }
        d.edits.make(setting(tweaks, [tweaks, places] {
            for (const auto& [v, p] : places) tweaks.element(v).set(p[0], p[1], p[2]);
        }));
        return;
    }
    const auto moved = std::static_pointer_cast<MeshData>(mesh->clone());
    for (const int v : components.vertices) {
        const Vec3d p = place(vertexOf(*mesh, v));
        for (size_t k = 0; k < 3; ++k) moved->points[size_t(3 * v) + k] = float(p[k]);
    }
    d.edits.make(setting(in, [in, moved] { in.set(std::static_pointer_cast<Data>(moved)); }));
}

void transformVertices(CommandContext& d, const Components& components, const Mat4d& matrix, const Vec3d& pivot,
                       bool world) {
    const Mat4d toWorld = worldOf(d.graph, components.shape), back = inverse(toWorld);
    const Vec3d center = world ? pivot : transformPoint(pivot, back);
    const Mat4d around =
        multiply(multiply(translation({-center[0], -center[1], -center[2]}), matrix), translation(center));
    const Mat4d all = world ? multiply(multiply(toWorld, around), back) : around;
    placeVertices(d, components, [&](const Vec3d& p) { return transformPoint(p, all); });
}

Vec3d centerOf(const Graph& graph, const std::vector<Components>& all) {
    Vec3d low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (const Components& components : all) {
        const auto mesh = meshShown(components.shape);
        const Mat4d world = worldOf(graph, components.shape);
        for (const int v : components.vertices) {
            const Vec3d p = transformPoint(vertexOf(*mesh, v), world);
            for (size_t k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
        }
    }
    return {(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2};
}

}  // namespace purl::host
