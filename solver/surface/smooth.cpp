#include "solver/surface/smooth.h"

#include <utility>

#include "solver/core/buffer.h"
#include "solver/core/forEach.h"
#include "solver/core/sort.h"

namespace purl {
namespace {

// In a closed mesh every edge is traversed once in each direction, so the heads of a vertex's outgoing edges are its
// neighbors, each exactly once.
struct VertexNeighbors {
    Buffer<int> starts, vertices;

    VertexNeighbors(const Device& device, const std::vector<int>& triangles, int vertexCount)
        : starts(device), vertices(device, static_cast<int>(triangles.size())) {
        Buffer<int> counts(device, vertexCount);
        for (const int vertex : triangles) ++counts[vertex];
        scan(counts, starts);
        Buffer<int> place = starts;
        for (size_t t = 0; t < triangles.size(); t += 3)
            for (size_t k = 0; k < 3; ++k) vertices[place[triangles[t + k]]++] = triangles[t + (k + 1) % 3];
    }
};

// x ← x + weight (mean of the neighbors − x)
struct MoveToMean {
    float weight;
    Span<const int> starts, neighbors;
    Span<const Vec3> from;
    Span<Vec3> to;

    PURL_HD void operator()(int i) const {
        const int begin = starts[i], end = starts[i + 1];
        Vec3 sum;
        for (int k = begin; k < end; ++k) sum += from[neighbors[k]] - from[i];
        to[i] = begin < end ? from[i] + (weight / static_cast<float>(end - begin)) * sum : from[i];
    }
};

Buffer<Vec3> onDevice(const Device& device, const std::vector<Vec3>& values) {
    Buffer<Vec3> copy(device, static_cast<int>(values.size()));
    for (int i = 0; i < copy.size(); ++i) copy[i] = values[i];
    return copy;
}

}  // namespace

void smoothMesh(const Device& device, Mesh& mesh, int passes) {
    const int count = static_cast<int>(mesh.positions.size());
    if (passes <= 0 || count == 0) return;
    const VertexNeighbors around(device, mesh.triangles, count);

    const auto move = [&](Buffer<Vec3>& values, Buffer<Vec3>& moved, float weight) {
        forEach(device, "smoothMesh", count,
                MoveToMean{weight, around.starts.span(), around.vertices.span(), std::as_const(values).span(),
                           moved.span()});
        values.swap(moved);
    };
    // Taubin 1995: a shrinking step by λ, then a slightly larger inflating step by μ. Ripples are damped; frequencies
    // below the pass band 1/λ + 1/μ are kept.
    constexpr float kLambda = 0.6f, kMu = -0.64f;
    Buffer<Vec3> x = onDevice(device, mesh.positions), n = onDevice(device, mesh.normals), moved(device, count);
    for (int pass = 0; pass < passes; ++pass) {
        move(x, moved, kLambda);
        move(x, moved, kMu);
        if (!n.empty()) move(n, moved, kLambda);
    }
    mesh.positions = std::vector<Vec3>(x.begin(), x.end());
    if (n.empty()) return;
    std::vector<Vec3>& normals = mesh.normals.edit();
    for (int i = 0; i < n.size(); ++i) normals[i] = normalized(n[i], normals[i]);
}

}  // namespace purl
