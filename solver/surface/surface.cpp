// The grid is anchored at the world's origin (a body at rest gets the same triangles in every frame) and sparse: it
// consists of blocks of 8³ nodes, there only where a particle reaches. All lengths below are in cells.
#include "solver/surface/surface.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "solver/core/buffer.h"
#include "solver/core/forEach.h"
#include "solver/core/sort.h"
#include "solver/surface/cells.h"
#include "solver/surface/smooth.h"

namespace purl {
namespace {

constexpr int kEdge = 8;  // of a block, in nodes: a row of a block is one vector register
constexpr int kSlab = kEdge * kEdge;
constexpr int kBlock = kEdge * kSlab;
constexpr int kAxisBits = 21;
constexpr int kFar = (1 << (kAxisBits - 1)) - 16;  // blocks from the origin; farther does not fit a key

struct BlockPlace {
    int x, y, z;
};

// Blocks are sorted by key: by z, then y, then x.
PURL_HD inline uint64_t keyOf(BlockPlace b) {
    const auto bits = [](int i) { return static_cast<uint64_t>(i + (1 << (kAxisBits - 1))); };
    return bits(b.z) << (2 * kAxisBits) | bits(b.y) << kAxisBits | bits(b.x);
}
PURL_HD inline BlockPlace placeOf(uint64_t key) {
    const auto index = [&](int shift) {
        return static_cast<int>(key >> shift & ((1u << kAxisBits) - 1)) - (1 << (kAxisBits - 1));
    };
    return {index(0), index(kAxisBits), index(2 * kAxisBits)};
}

// A particle's part in the field.
struct Blob {
    Vec3 x;      // from its block's first node
    float peak;  // m/ρ W(0)
};

// What the kernels see of the grid.
struct Grid {
    Span<const uint64_t> keys;  // of the blocks, sorted
    Span<const int> firstBlob;  // of each block, and the end
    Span<const int> ahead;      // eight a block: itself and its neighbours towards +x, +y, +z; −1: none
    Span<const Blob> blobs;     // sorted by block
    float radius;               // of a blob
    int reach;                  // blocks that a radius spans

    // Index of a block, or −1.
    PURL_HD int find(uint64_t key) const {
        int low = 0, high = keys.count;
        while (low < high) {
            const int middle = (low + high) / 2;
            if (keys[middle] < key)
                low = middle + 1;
            else
                high = middle;
        }
        return low < keys.count && keys[low] == key ? low : -1;
    }

    // Index of node (x, y, z) of a block, each at most kEdge: one past the block's own; −1 where no block is.
    PURL_HD int node(int block, int x, int y, int z) const {
        const int towards = (x == kEdge) | (y == kEdge) << 1 | (z == kEdge) << 2;
        const int owner = towards ? ahead[8 * block + towards] : block;
        return owner < 0 ? -1 : owner * kBlock + (z & 7) * kSlab + (y & 7) * kEdge + (x & 7);
    }

    // Visits, in one fixed order, the blobs of all blocks that may reach the slab z of a block:
    // visit(index, offset from the block's first node).
    template <class Visit>
    PURL_HD void forEachBlob(int block, int z, Visit&& visit) const {
        const BlockPlace here = placeOf(keys[block]);
        for (int dz = -reach; dz <= reach; ++dz) {
            const auto low = static_cast<float>(kEdge * dz - z), high = low + kEdge;
            if (low >= radius + 1 || high <= -radius) continue;
            for (int dy = -reach; dy <= reach; ++dy) {
                for (int dx = -reach; dx <= reach; ++dx) {
                    const int there = find(keyOf({here.x + dx, here.y + dy, here.z + dz}));
                    if (there < 0) continue;
                    const Vec3 offset{static_cast<float>(kEdge * dx), static_cast<float>(kEdge * dy),
                                      static_cast<float>(kEdge * dz)};
                    for (int j = firstBlob[there]; j < firstBlob[there + 1]; ++j) visit(j, blobs[j].x + offset);
                }
            }
        }
    }
};

struct FindAhead {
    Grid grid;
    Span<int> ahead;

    PURL_HD void operator()(int i) const {
        const BlockPlace b = placeOf(grid.keys[i >> 3]);
        ahead[i] = grid.find(keyOf({b.x + (i & 1), b.y + (i >> 1 & 1), b.z + (i >> 2 & 1)}));
    }
};

// c(x) = Σⱼ mⱼ/ρⱼ W(x − xⱼ),  W(r) = W(0) (1 − r²/R²)³   Kelager 2006, eq. 4.27, 4.3
// One index is a slab of 8 × 8 nodes; every row of it is summed at once.
struct ColorField {
    Grid grid;
    Span<float> color;

    PURL_HD void operator()(int slab) const {
        const int block = slab / kEdge, z = slab % kEdge;
        const float inverse = 1 / square(grid.radius);
        float sum[kSlab] = {};
        grid.forEachBlob(block, z, [&](int j, Vec3 x) {
            const float atZ = 1 - square(x.z - static_cast<float>(z)) * inverse;
            if (atZ <= 0) return;
            const float peak = grid.blobs[j].peak;
            for (int row = 0; row < kEdge; ++row) {
                const float atRow = atZ - square(x.y - static_cast<float>(row)) * inverse;
                if (atRow <= 0) continue;
                for (int k = 0; k < kEdge; ++k) {
                    const float q = atRow - square(x.x - static_cast<float>(k)) * inverse;
                    const float inside = q > 0 ? q : 0;
                    sum[row * kEdge + k] += peak * inside * inside * inside;
                }
            }
        });
        for (int k = 0; k < kSlab; ++k) color[slab * kSlab + k] = sum[k];
    }
};

// Bit a: the edge from the cell's first corner along axis a is cut.
PURL_HD inline int cutEdges(int bits) {
    return ((bits ^ bits >> 1) & 1) | ((bits ^ bits >> 2) & 1) << 1 | ((bits ^ bits >> 4) & 1) << 2;
}
PURL_HD inline int bitCount(int threeBits) { return (threeBits & 1) + (threeBits >> 1 & 1) + (threeBits >> 2 & 1); }

// Which of the 256 cases the cell at each node is, and how many vertices and triangles a slab will have.
struct ClassifyCells {
    Grid grid;
    float isoValue;
    Span<const float> color;
    Span<const CellCase> cases;
    Span<uint8_t> cell;
    Span<int> vertexCount, triangleCount;

    PURL_HD void operator()(int slab) const {
        const int block = slab / kEdge, z = slab % kEdge;
        constexpr int kRow = kEdge + 1;
        uint8_t inside[2 * kRow * kRow];
        for (int k = 0; k < 2; ++k)
            for (int y = 0; y < kRow; ++y)
                for (int x = 0; x < kRow; ++x) {
                    const int node = grid.node(block, x, y, z + k);
                    inside[(k * kRow + y) * kRow + x] = node >= 0 && color[node] > isoValue;
                }
        int vertices = 0, triangles = 0;
        for (int y = 0; y < kEdge; ++y) {
            for (int x = 0; x < kEdge; ++x) {
                const uint8_t* low = inside + y * kRow + x;
                const uint8_t* high = low + kRow * kRow;
                const int bits = low[0] | low[1] << 1 | low[kRow] << 2 | low[kRow + 1] << 3 | high[0] << 4 |
                                 high[1] << 5 | high[kRow] << 6 | high[kRow + 1] << 7;
                cell[slab * kSlab + y * kEdge + x] = static_cast<uint8_t>(bits);
                vertices += bitCount(cutEdges(bits));
                triangles += cases[bits].triangleCount;
            }
        }
        vertexCount[slab] = vertices;
        triangleCount[slab] = triangles;
    }
};

// A vertex on every cut edge, where the field between its two nodes passes the iso value.
struct PlaceVertices {
    Grid grid;
    float isoValue;
    double cellSize;
    Span<const float> color;
    Span<const uint8_t> cell;
    Span<const Vec3> velocity;    // of the blobs
    Span<const int> firstVertex;  // of each slab
    Span<int> vertexAt;           // first vertex of each node
    Span<Vec3> position, normal, vertexVelocity;

    PURL_HD void operator()(int slab) const {
        if (firstVertex[slab] == firstVertex[slab + 1]) return;
        const int block = slab / kEdge, z = slab % kEdge;
        const BlockPlace place = placeOf(grid.keys[block]);
        int next = firstVertex[slab];
        for (int k = 0; k < kSlab; ++k) {
            const int node = slab * kSlab + k, x = k % kEdge, y = k / kEdge;
            vertexAt[node] = next;
            const int cut = cutEdges(cell[node]);
            for (int axis = 0; axis < 3; ++axis) {
                if (!(cut >> axis & 1)) continue;
                const int other = grid.node(block, x + (axis == 0), y + (axis == 1), z + (axis == 2));
                const float a = color[node], b = other < 0 ? 0 : color[other];
                Vec3 at{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
                at[axis] += clamp((isoValue - a) / (b - a), 0, 1);
                position[next++] = at;
            }
        }
        // Over the blobs around the slab, for all of its vertices at once: −∇c, and Σ V W v / Σ V W.
        const int first = firstVertex[slab], count = next - first;
        Bounds bounds;
        for (int i = 0; i < count; ++i) bounds.include(position[first + i]);
        float weight[3 * kSlab] = {};
        const float inverse = 1 / square(grid.radius);
        grid.forEachBlob(block, z, [&](int j, Vec3 x) {
            const Vec3 nearest = max(bounds.low, min(bounds.high, x));
            if (lengthSquared(nearest - x) * inverse >= 1) return;
            for (int i = 0; i < count; ++i) {
                const Vec3 d = position[first + i] - x;
                const float q = 1 - lengthSquared(d) * inverse;
                if (q <= 0) continue;
                const float w = grid.blobs[j].peak * q * q;
                normal[first + i] += w * d;
                vertexVelocity[first + i] += (w * q) * velocity[j];
                weight[i] += w * q;
            }
        });
        for (int i = 0; i < count; ++i) {
            const Vec3 local = position[first + i];
            const auto world = [&](int start, float offset) {
                return static_cast<float>((static_cast<double>(kEdge) * start + static_cast<double>(offset)) *
                                          cellSize);
            };
            position[first + i] = {world(place.x, local.x), world(place.y, local.y), world(place.z, local.z)};
            normal[first + i] = normalized(normal[first + i]);
            if (weight[i] > 0) vertexVelocity[first + i] = vertexVelocity[first + i] / weight[i];
        }
    }
};

struct JoinTriangles {
    Grid grid;
    Span<const CellCase> cases;
    Span<const CellEdge> edges;
    Span<const uint8_t> cell;
    Span<const int> firstTriangle;  // of each slab
    Span<const int> vertexAt;
    Span<int> corner;

    PURL_HD void operator()(int slab) const {
        const int block = slab / kEdge, z = slab % kEdge;
        int next = 3 * firstTriangle[slab];
        if (next == 3 * firstTriangle[slab + 1]) return;
        for (int k = 0; k < kSlab; ++k) {
            const CellCase& made = cases[cell[slab * kSlab + k]];
            for (int e = 0; e < 3 * made.triangleCount; ++e) {
                const CellEdge edge = edges[made.edges[e]];
                const int node = grid.node(block, k % kEdge + (edge.corner & 1), k / kEdge + (edge.corner >> 1 & 1),
                                           z + (edge.corner >> 2 & 1));
                PURL_ASSERT(node >= 0);
                corner[next++] = vertexAt[node] + bitCount(cutEdges(cell[node]) & ((1 << edge.axis) - 1));
            }
        }
    }
};

// The particles of one body, sorted by block, and the blocks that they reach.
struct SparseField {
    Buffer<uint64_t> keys;
    Buffer<int> firstBlob, ahead;
    Buffer<Blob> blobs;
    Buffer<Vec3> velocities;
    float radius;
    int reach;

    Grid grid() const { return {keys.span(), firstBlob.span(), ahead.span(), blobs.span(), radius, reach}; }
};

void sortKeys(Buffer<uint64_t>& keys, Buffer<int>& order) {
    order.resize(keys.size());
    for (int i = 0; i < order.size(); ++i) order[i] = i;
    sortByKey(keys, order, 3 * kAxisBits);
    keys.device().synchronize();
}

template <class T, size_t n>
Buffer<T> onDevice(const Device& device, const std::array<T, n>& values) {
    Buffer<T> copy(device, static_cast<int>(n));
    std::copy(values.begin(), values.end(), copy.begin());
    return copy;
}

SparseField gather(const Device& device, const Frame& frame, int body, double cell, double radius) {
    const Points& points = frame.points;
    const BodyInfo& info = frame.bodies[static_cast<size_t>(body)];
    std::vector<size_t> members;
    for (size_t i = 0; i < points.count(); ++i)
        if (points.bodies.empty() || points.bodies[i] == body) members.push_back(i);
    const int count = static_cast<int>(members.size());

    Buffer<uint64_t> blobKeys(device, count);
    Buffer<int> order(device);
    for (int i = 0; i < count; ++i) {
        const Vec3 x = points.positions[members[static_cast<size_t>(i)]];
        int at[3];
        for (int axis = 0; axis < 3; ++axis) {
            const double block = std::floor(static_cast<double>(x[axis]) / (cell * kEdge));
            if (!(std::abs(block) < kFar))
                throw Error(info.name + ": a particle is too far away to be meshed; raise the spacing or delete it");
            at[axis] = static_cast<int>(block);
        }
        blobKeys[i] = keyOf({at[0], at[1], at[2]});
    }
    sortKeys(blobKeys, order);

    SparseField field{Buffer<uint64_t>(device),
                      Buffer<int>(device),
                      Buffer<int>(device),
                      Buffer<Blob>(device, count),
                      Buffer<Vec3>(device, count),
                      static_cast<float>(radius),
                      0};
    field.reach = static_cast<int>(std::ceil(radius / kEdge));
    constexpr double kPi = 3.14159265358979323846;
    const double peak = 315 / (64 * kPi * radius * radius * radius);
    for (int i = 0; i < count; ++i) {
        const size_t p = members[static_cast<size_t>(order[i])];
        const BlockPlace b = placeOf(blobKeys[i]);
        const auto local = [&](float x, int block) {
            return static_cast<float>(static_cast<double>(x) / cell - static_cast<double>(kEdge) * block);
        };
        const Vec3 x = points.positions[p];
        // m/ρ: the volume of the particle's sphere; where the frame holds none, its volume at rest
        const double size = points.radii.empty() ? info.spacing / cell : points.radii[p] / cell;
        const double volume = (points.radii.empty() ? 1 : 4 * kPi / 3) * size * size * size;
        field.blobs[i] = {{local(x.x, b.x), local(x.y, b.y), local(x.z, b.z)}, static_cast<float>(volume * peak)};
        if (!points.velocities.empty()) field.velocities[i] = points.velocities[p];
    }

    // Every block within a radius of a block's particles, and a cell more: then no cut cell lies outside.
    Buffer<uint64_t> reached(device);
    for (int begin = 0, end = 0; begin < count; begin = end) {
        Bounds bounds;
        for (; end < count && blobKeys[end] == blobKeys[begin]; ++end) bounds.include(field.blobs[end].x);
        const BlockPlace b = placeOf(blobKeys[begin]);
        int low[3], high[3];
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = static_cast<int>(std::floor((bounds.low[axis] - field.radius - 1.01f) / kEdge));
            high[axis] = static_cast<int>(std::floor((bounds.high[axis] + field.radius + 1.01f) / kEdge));
        }
        for (int z = low[2]; z <= high[2]; ++z)
            for (int y = low[1]; y <= high[1]; ++y)
                for (int x = low[0]; x <= high[0]; ++x) {
                    reached.resize(reached.size() + 1);
                    reached[reached.size() - 1] = keyOf({b.x + x, b.y + y, b.z + z});
                }
    }
    sortKeys(reached, order);
    const int blocks = static_cast<int>(std::unique(reached.begin(), reached.end()) - reached.begin());
    if (blocks > 2000000)
        throw Error(info.name + ": the surface's grid is too large; lower resolution (" +
                    std::to_string(static_cast<int>(info.spacing / cell + 0.5)) + " now)");
    reached.resize(blocks);
    field.keys.swap(reached);
    field.firstBlob.resize(blocks + 1);
    for (int b = 0, blob = 0; b <= blocks; ++b) {
        while (blob < count && (b == blocks || blobKeys[blob] < field.keys[b])) ++blob;
        field.firstBlob[b] = blob;
    }
    Buffer<int> ahead(device, 8 * blocks);
    forEach(device, "findAhead", 8 * blocks, FindAhead{field.grid(), ahead.span()});
    field.ahead.swap(ahead);
    return field;
}

template <class T>
std::vector<T> onHost(const Buffer<T>& values) {
    return {values.begin(), values.end()};
}

}  // namespace

Mesh makeSurface(const Device& device, const Frame& frame, int body, const SurfaceParams& params) {
    if (body < 0 || body >= static_cast<int>(frame.bodies.size()))
        throw Error("surface: the frame has no body number " + std::to_string(body));
    const BodyInfo& info = frame.bodies[static_cast<size_t>(body)];
    if (info.kind == BodyKind::gas) throw Error(info.name + ": a gas has no surface; show its points");
    if (!(info.spacing > 0)) throw Error(info.name + ": has no particle spacing to make a surface with");
    checkParams(info.name, params);

    Mesh mesh;
    mesh.name = info.name;
    mesh.color = info.color;
    mesh.opacity = info.opacity;

    // A kernel narrower than a cell would fall through the grid.
    const double cell = static_cast<double>(info.spacing) / static_cast<double>(params.resolution);
    const double support = info.supportRadius > 0 ? info.supportRadius : 2 * info.spacing;
    const double radius = std::max(1.0, static_cast<double>(params.kernelScale) * support / cell);

    const SparseField field = gather(device, frame, body, cell, radius);
    const Grid grid = field.grid();
    const int slabs = field.keys.size() * kEdge, nodes = slabs * kSlab;
    const Buffer<CellCase> cases = onDevice(device, cellCases());
    const Buffer<CellEdge> edges = onDevice(device, cellEdges());

    Buffer<float> color(device, nodes);
    forEach(device, "colorField", slabs, ColorField{grid, color.span()});
    const Span<const float> c = color.span();

    Buffer<uint8_t> cells(device, nodes);
    Buffer<int> vertexCounts(device, slabs), triangleCounts(device, slabs), firstVertex(device), firstTriangle(device);
    forEach(device, "classifyCells", slabs,
            ClassifyCells{grid, params.isoValue, c, cases.span(), cells.span(), vertexCounts.span(),
                          triangleCounts.span()});
    scan(vertexCounts, firstVertex);
    scan(triangleCounts, firstTriangle);
    device.synchronize();
    const int vertices = firstVertex[slabs], triangles = firstTriangle[slabs];

    Buffer<int> vertexAt(device, nodes), corners(device, 3 * triangles);
    Buffer<Vec3> x(device, vertices), n(device, vertices), v(device, vertices);
    forEach(device, "placeVertices", slabs,
            PlaceVertices{grid, params.isoValue, cell, c, cells.span(), field.velocities.span(), firstVertex.span(),
                          vertexAt.span(), x.span(), n.span(), v.span()});
    forEach(device, "joinTriangles", slabs,
            JoinTriangles{grid, cases.span(), edges.span(), cells.span(), firstTriangle.span(), vertexAt.span(),
                          corners.span()});
    device.synchronize();

    mesh.positions = onHost(x);
    mesh.normals = onHost(n);
    if (!frame.points.velocities.empty()) mesh.velocities = onHost(v);
    mesh.triangles = onHost(corners);
    smoothMesh(device, mesh, params.smoothing);
    return mesh;
}

}  // namespace purl
