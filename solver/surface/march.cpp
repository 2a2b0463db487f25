#include "solver/surface/march.h"

#include <algorithm>

#include "solver/core/forEach.h"
#include "solver/core/sort.h"
#include "solver/surface/cells.h"

namespace purl {
namespace {

// No vertex comes nearer to a node than this share of a cell: else those around one node fall together, and triangles
// are left with no area.
constexpr float kLeastShare = 1.0f / 64;

// Bit a: the edge from the cell's first corner along axis a is cut.
PURL_HD inline int cutEdges(int bits) {
    return ((bits ^ bits >> 1) & 1) | ((bits ^ bits >> 2) & 1) << 1 | ((bits ^ bits >> 4) & 1) << 2;
}
PURL_HD inline int bitCount(int threeBits) { return (threeBits & 1) + (threeBits >> 1 & 1) + (threeBits >> 2 & 1); }

// Which of the 256 cases each cell of a block is, where its nodes' vertices begin, and how many vertices and triangles
// the block has. Nothing is written of a block that has none of either.
struct ClassifyCells {
    BlockView blocks;
    int first;  // block of this layer
    float isoValue;
    Span<const float> field;  // from the first block on
    Span<const CellCase> cases;
    Span<uint8_t> cell;
    Span<uint16_t> vertexAt;  // counted from the block's first
    Span<int> vertexCount;    // of this layer's blocks
    Span<int> triangleCount;  // of all

    PURL_HD void operator()(int index) const {
        const int block = first + index;
        constexpr int kRow = kEdge + 1, kAll = (1 << kRow) - 1;
        int inside[kRow * kRow];  // rows of nodes along x, a bit each
        int any = 0, all = kAll;
        for (int z = 0; z < kRow; ++z)
            for (int y = 0; y < kRow; ++y) {
                const int row = rowOf(block, y, z);
                inside[z * kRow + y] = row;
                any |= row;
                all &= row;
            }
        vertexCount[index] = triangleCount[block] = 0;
        if (!any || all == kAll) return;
        int vertices = 0, triangles = 0;
        const int firstNode = block * kBlock;
        for (int z = 0; z < kEdge; ++z)
            for (int y = 0; y < kEdge; ++y) {
                const int* const low = inside + z * kRow + y;
                const int a = low[0], b = low[1], c = low[kRow], d = low[kRow + 1];
                const int row = firstNode + z * kSlab + y * kEdge;
                for (int x = 0; x < kEdge; ++x) {
                    const int bits = (a >> x & 3) | (b >> x & 3) << 2 | (c >> x & 3) << 4 | (d >> x & 3) << 6;
                    cell[row + x] = static_cast<uint8_t>(bits);
                    vertexAt[row + x] = static_cast<uint16_t>(vertices);
                    if (bits == 0 || bits == 255) continue;
                    vertices += bitCount(cutEdges(bits));
                    triangles += cases[bits].triangleCount;
                }
            }
        vertexCount[index] = vertices;
        triangleCount[block] = triangles;
    }

    PURL_HD int rowOf(int block, int y, int z) const {
        int bits = 0;
        const int towards = (y == kEdge) << 1 | (z == kEdge) << 2;
        const int owner = towards ? blocks.ahead[8 * block + towards] : block;
        if (owner >= 0) {
            const float* const nodes =
                field.data + static_cast<size_t>(owner - first) * kBlock + (z & 7) * kSlab + (y & 7) * kEdge;
            for (int x = 0; x < kEdge; ++x) bits |= (nodes[x] > isoValue) << x;
        } else if (owner == kLiquid) {
            bits = (1 << kEdge) - 1;
        }
        const int end = blocks.node(block, kEdge, y, z);
        const bool last = end >= 0 ? field[end - first * kBlock] > isoValue : end == kLiquid;
        return bits | last << kEdge;
    }
};

// A vertex on every cut edge, where the field between its two nodes passes the iso value.
struct PlaceVertices {
    BlockView blocks;
    int first;
    float isoValue, full;
    Span<const float> field;
    Span<const uint8_t> cell;
    Span<const int> firstVertex;
    Span<Vec3> local;

    PURL_HD void operator()(int index) const {
        const int block = first + index;
        int next = firstVertex[block];
        const int end = firstVertex[block + 1];
        for (int k = 0; k < kBlock && next < end; ++k) {
            const int node = block * kBlock + k, cut = cutEdges(cell[node]);
            if (!cut) continue;
            const int x = k % kEdge, y = k / kEdge % kEdge, z = k / kSlab;
            for (int axis = 0; axis < 3; ++axis) {
                if (!(cut >> axis & 1)) continue;
                const int other = blocks.node(block, x + (axis == 0), y + (axis == 1), z + (axis == 2));
                const float a = field[node - first * kBlock];
                const float b = other >= 0 ? field[other - first * kBlock] : other == kLiquid ? full : 0;
                Vec3 at{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
                at[axis] += clamp((isoValue - a) / (b - a), kLeastShare, 1 - kLeastShare);
                local[next++] = at;
            }
        }
    }
};

struct JoinTriangles {
    BlockView blocks;
    Span<const CellCase> cases;
    Span<const CellEdge> edges;
    Span<const uint8_t> cell;
    Span<const uint16_t> vertexAt;
    Span<const int> firstVertex, firstTriangle;
    Span<int> corner;

    PURL_HD void operator()(int block) const {
        int next = 3 * firstTriangle[block];
        const int end = 3 * firstTriangle[block + 1];
        for (int k = 0; k < kBlock && next < end; ++k) {
            const int bits = cell[block * kBlock + k];
            if (bits == 0 || bits == 255) continue;
            const CellCase& made = cases[bits];
            for (int e = 0; e < 3 * made.triangleCount; ++e) {
                const CellEdge edge = edges[made.edges[e]];
                const int node =
                    blocks.node(block, k % kEdge + (edge.corner & 1), k / kEdge % kEdge + (edge.corner >> 1 & 1),
                                k / kSlab + (edge.corner >> 2 & 1));
                PURL_ASSERT(node >= 0);
                corner[next++] = firstVertex[node / kBlock] + vertexAt[node] +
                                 bitCount(cutEdges(cell[node]) & ((1 << edge.axis) - 1));
            }
        }
    }
};

constexpr int kChunk = 4096;  // blocks marched through at a time, at least: enough for many threads, 8 MB

// The end of the first whole layers along z, from `begin` on, that have so many blocks.
int endOfLayers(const Buffer<uint64_t>& keys, int begin, int least) {
    int end = std::min(begin + least, keys.size());
    while (end < keys.size() && placeOf(keys[end]).z == placeOf(keys[end - 1]).z) ++end;
    return end;
}

template <class T, size_t n>
Buffer<T> onDevice(const Device& device, const std::array<T, n>& values) {
    Buffer<T> copy(device, static_cast<int>(n));
    std::copy(values.begin(), values.end(), copy.begin());
    return copy;
}

}  // namespace

Triangulation march(const Blocks& blocks, const FieldOf& fieldOf, float isoValue, float full) {
    const Device& device = blocks.keys.device();
    const int count = blocks.count();
    const BlockView view = blocks.view();
    const Buffer<CellCase> cases = onDevice(device, cellCases());
    const Buffer<CellEdge> edges = onDevice(device, cellEdges());
    Buffer<uint8_t> cells(device);
    Buffer<uint16_t> vertexAt(device);
    cells.renew(kBlock * count);
    vertexAt.renew(kBlock * count);
    Buffer<int> triangleCounts(device), firstTriangle(device), vertexCounts(device), starts(device);
    triangleCounts.renew(count);
    Triangulation made(device);
    made.firstVertex.renew(count + 1);
    const auto constant = [](const auto& buffer) { return buffer.span(); };

    // Blocks [begin, end) are marched through; those up to `ahead` are the layer that they look into.
    Buffer<float> field(device), next(device);
    int begin = 0, end = 0, known = 0, most = 0;
    while (end < count) {
        begin = end;
        end = endOfLayers(blocks.keys, begin, kChunk);
        const int ahead = end < count ? endOfLayers(blocks.keys, end, 1) : end;
        // What was ahead of the last layers is known already.
        next.renew(kBlock * (ahead - begin));
        std::copy(field.end() - kBlock * (known - begin), field.end(), next.begin());
        field.swap(next);
        fieldOf(known, ahead - known, {field.data() + kBlock * (known - begin), kBlock * (ahead - known)});
        known = ahead;
        most = std::max(most, field.size());
        vertexCounts.renew(end - begin);
        forEach(device, "classifyCells", end - begin,
                ClassifyCells{view, begin, isoValue, constant(field), cases.span(), cells.span(), vertexAt.span(),
                              vertexCounts.span(), triangleCounts.span()},
                16);
        scan(vertexCounts, starts);
        device.synchronize();
        const int before = made.local.size();
        for (int b = begin; b <= end; ++b) made.firstVertex[b] = before + starts[b - begin];
        made.local.resize(made.firstVertex[end]);
        forEach(device, "placeVertices", end - begin,
                PlaceVertices{view, begin, isoValue, full, constant(field), constant(cells), constant(made.firstVertex),
                              made.local.span()},
                16);
        device.synchronize();
    }
    made.firstVertex[count] = made.local.size();
    field = next = Buffer<float>(device);
    scan(triangleCounts, firstTriangle);
    device.synchronize();
    made.corners.renew(3 * firstTriangle[count]);
    forEach(device, "joinTriangles", count,
            JoinTriangles{view, cases.span(), edges.span(), constant(cells), constant(vertexAt),
                          constant(made.firstVertex), constant(firstTriangle), made.corners.span()},
            16);
    device.synchronize();
    made.bytes = 8.0 * most + 3.0 * cells.size() + 12.0 * made.local.size() + 4.0 * made.corners.size();
    return made;
}

}  // namespace purl
