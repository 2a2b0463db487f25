// How the table is built, and why the meshes are closed 2-manifolds: on every face of the cell, each edge where its
// border goes from inside to outside is connected by a segment to the edge where it next returns to the inside. On an
// ambiguous face this joins diagonal inside corners, whichever of the two adjacent cells looks at it, so both cells
// produce the same segments, in opposite directions. A cut edge lies on two faces of a cell; it starts a segment on one
// and ends a segment on the other, so the segments form closed loops. Each loop is triangulated with diagonals that
// stay off the cell faces, so that no diagonal coincides with one of the adjacent cell.
#include "solver/surface/cells.h"

#include <vector>

#include "solver/core/platform.h"

namespace purl {
namespace {

// Corners of the face on side 0 or 1 of an axis, counter-clockwise seen from outside the cell.
std::array<int, 4> faceCorners(int axis, int side) {
    const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = side << axis;
    return side ? std::array<int, 4>{base, base + u, base + u + v, base + v}
                : std::array<int, 4>{base, base + v, base + u + v, base + u};
}

int edgeBetween(int a, int b) {
    const int corner = a & b, difference = a ^ b;
    const auto edges = cellEdges();
    for (int e = 0; e < 12; ++e)
        if (edges[e].corner == corner && 1 << edges[e].axis == difference) return e;
    return -1;
}

bool onOneFace(int e, int f) {
    const auto edges = cellEdges();
    const CellEdge a = edges[e], b = edges[f];
    for (int axis = 0; axis < 3; ++axis)
        if (axis != a.axis && axis != b.axis && (a.corner >> axis & 1) == (b.corner >> axis & 1)) return true;
    return false;
}

// Triangulates the loop, which runs clockwise seen from outside, into counter-clockwise triangles without a diagonal on
// a face; returns false if there is no such triangulation.
bool triangulate(const std::vector<int>& loop, std::vector<int>& triangles) {
    if (loop.size() < 3) return true;
    const size_t last = loop.size() - 1, before = triangles.size();
    for (size_t apex = 1; apex < last; ++apex) {
        if (apex > 1 && onOneFace(loop[0], loop[apex])) continue;
        if (apex < last - 1 && onOneFace(loop[apex], loop[last])) continue;
        triangles.insert(triangles.end(), {loop[last], loop[apex], loop[0]});
        const auto at = [&](size_t i) { return loop.begin() + static_cast<std::ptrdiff_t>(i); };
        if (triangulate({at(0), at(apex + 1)}, triangles) && triangulate({at(apex), loop.end()}, triangles))
            return true;
        triangles.resize(before);
    }
    return false;
}

}  // namespace

std::array<CellEdge, 12> cellEdges() {
    std::array<CellEdge, 12> edges{};
    size_t count = 0;
    for (int axis = 0; axis < 3; ++axis)
        for (int corner = 0; corner < 8; ++corner)
            if (!(corner >> axis & 1)) edges[count++] = {static_cast<uint8_t>(corner), static_cast<uint8_t>(axis)};
    return edges;
}

std::array<CellCase, 256> cellCases() {
    std::array<CellCase, 256> cases;
    for (int bits = 0; bits < 256; ++bits) {
        const auto inside = [&](int corner) { return (bits >> corner & 1) != 0; };

        std::array<int, 12> next;
        next.fill(-1);
        for (int face = 0; face < 6; ++face) {
            const auto rim = faceCorners(face >> 1, face & 1);
            const auto corner = [&](int k) { return rim[k % 4]; };
            for (int k = 0; k < 4; ++k) {
                if (!inside(corner(k)) || inside(corner(k + 1))) continue;
                int back = k + 1;
                while (!inside(corner(back + 1))) ++back;
                next[edgeBetween(corner(k), corner(k + 1))] = edgeBetween(corner(back), corner(back + 1));
            }
        }

        std::vector<int> triangles;
        for (int first = 0; first < 12; ++first) {
            std::vector<int> loop;
            for (int e = first; next[e] >= 0;) {
                loop.push_back(e);
                const int following = next[e];
                next[e] = -1;
                e = following;
            }
            const bool cut = triangulate(loop, triangles);
            PURL_ASSERT(cut);
            (void)cut;
        }
        CellCase& made = cases[bits];
        PURL_ASSERT(triangles.size() <= 3 * kMaxCellTriangles);
        made.triangleCount = static_cast<uint8_t>(triangles.size() / 3);
        for (size_t i = 0; i < triangles.size(); ++i) made.edges[i] = static_cast<uint8_t>(triangles[i]);
    }
    return cases;
}

}  // namespace purl
