#include "solver/surface/march.h"

#include <algorithm>

#include "solver/core/forEach.h"
#include "solver/core/sort.h"
#include "solver/surface/cells.h"

namespace purl {
namespace {

// Least distance of a vertex from a node, as a fraction of a cell: otherwise the vertices around a node coincide and
// triangles degenerate.
constexpr float kMinEdgeFraction = 1.0f / 64;

// Bit a is set if the edge from the cell's first corner along axis a is cut.
PURL_HD inline int cutEdges(int bits) {
    return ((bits ^ bits >> 1) & 1) | ((bits ^ bits >> 2) & 1) << 1 | ((bits ^ bits >> 4) & 1) << 2;
}
PURL_HD inline int bitCount(int threeBits) { return (threeBits & 1) + (threeBits >> 1 & 1) + (threeBits >> 2 & 1); }

// Computes the case of each cell of a block, the first vertex of each node, and the block's vertex and triangle counts.
// Nothing is written for a block without either.
struct ClassifyCells {
    BlockView blocks;
    int first;  // first block of this layer
    float isoValue;
    Span<const float> field;  // starting at the first block
    Span<const CellCase> cases;
    Span<uint8_t> cell;
    Span<uint16_t> vertexAt;  // relative to the block's first vertex
    Span<int> vertexCount;    // of this layer's blocks
    Span<int> triangleCount;  // of all blocks

    PURL_HD void operator()(int index) const {
        const int block = first + index;
        constexpr int kRow = kEdge + 1, kAll = (1 << kRow) - 1;
        int inside[kRow * kRow];  // one bit per node along x
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

// A vertex on every cut edge, at the linear interpolation of the iso value.
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
                at[axis] += clamp((isoValue - a) / (b - a), kMinEdgeFraction, 1 - kMinEdgeFraction);
                local[next++] = at;
            }
        }
    }
};

struct ConnectTriangles {
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
            const CellCase& result = cases[bits];
            for (int e = 0; e < 3 * result.triangleCount; ++e) {
                const CellEdge edge = edges[result.edges[e]];
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

constexpr int kChunk = 4096;  // least number of blocks processed at a time: enough for many threads, 8 MB

// The end of the first whole z layers, starting at `begin`, with at least `least` blocks.
int endOfLayers(const Buffer<uint64_t>& keys, int begin, int least) {
    int end = std::min(begin + least, keys.size());
    while (end < keys.size() && blockCoord(keys[end]).z == blockCoord(keys[end - 1]).z) ++end;
    return end;
}

template <class T, size_t n>
Buffer<T> onDevice(const Device& device, const std::array<T, n>& values) {
    Buffer<T> copy(device, static_cast<int>(n));
    std::copy(values.begin(), values.end(), copy.begin());
    return copy;
}

}  // namespace

Triangulation march(const BlockGrid& blocks, const EvaluateField& evaluateField, float isoValue, float full) {
    const Device& device = blocks.keys.device();
    const int count = blocks.count();
    const BlockView view = blocks.view();
    const Buffer<CellCase> cases = onDevice(device, cellCases());
    const Buffer<CellEdge> edges = onDevice(device, cellEdges());
    Buffer<uint8_t> cells(device);
    Buffer<uint16_t> vertexAt(device);
    cells.resizeDiscard(kBlock * count);
    vertexAt.resizeDiscard(kBlock * count);
    Buffer<int> triangleCounts(device), firstTriangle(device), vertexCounts(device), starts(device);
    triangleCounts.resizeDiscard(count);
    Triangulation result(device);
    result.firstVertex.resizeDiscard(count + 1);
    const auto constant = [](const auto& buffer) { return buffer.span(); };

    // Blocks [begin, end) are processed; blocks up to `ahead` are the layer behind them; its field is needed too.
    Buffer<float> field(device), next(device);
    int begin = 0, end = 0, known = 0, largestField = 0;
    while (end < count) {
        begin = end;
        end = endOfLayers(blocks.keys, begin, kChunk);
        const int ahead = end < count ? endOfLayers(blocks.keys, end, 1) : end;
        // The field of the previous layers' look-ahead is already known.
        next.resizeDiscard(kBlock * (ahead - begin));
        std::copy(field.end() - kBlock * (known - begin), field.end(), next.begin());
        field.swap(next);
        evaluateField(known, ahead - known, {field.data() + kBlock * (known - begin), kBlock * (ahead - known)});
        known = ahead;
        largestField = std::max(largestField, field.size());
        vertexCounts.resizeDiscard(end - begin);
        forEach(device, "classifyCells", end - begin,
                ClassifyCells{view, begin, isoValue, constant(field), cases.span(), cells.span(), vertexAt.span(),
                              vertexCounts.span(), triangleCounts.span()},
                16);
        scan(vertexCounts, starts);
        const int before = result.local.size();
        for (int b = begin; b <= end; ++b) result.firstVertex[b] = before + starts[b - begin];
        result.local.resize(result.firstVertex[end]);
        forEach(device, "placeVertices", end - begin,
                PlaceVertices{view, begin, isoValue, full, constant(field), constant(cells),
                              constant(result.firstVertex), result.local.span()},
                16);
    }
    result.firstVertex[count] = result.local.size();
    field = next = Buffer<float>(device);
    scan(triangleCounts, firstTriangle);
    result.corners.resizeDiscard(3 * firstTriangle[count]);
    forEach(device, "joinTriangles", count,
            ConnectTriangles{view, cases.span(), edges.span(), constant(cells), constant(vertexAt),
                             constant(result.firstVertex), constant(firstTriangle), result.corners.span()},
            16);
    result.bytes = 8.0 * largestField + 3.0 * cells.size() + 12.0 * result.local.size() + 4.0 * result.corners.size();
    return result;
}

}  // namespace purl
