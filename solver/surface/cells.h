// The triangles of one marching-cubes cell, for each of the 256 ways its corners may lie inside or outside.
// The table is worked out when asked for, not written down: see cells.cpp for why every mesh made by it is closed.
#pragma once
#include <array>
#include <cstdint>

namespace purl {

// Corner c of a cell lies at (c & 1, c >> 1 & 1, c >> 2 & 1); bit c of a case says that it is inside.
// Edge e runs from corner cellEdges()[e].corner along +axis.
struct CellEdge {
    uint8_t corner, axis;
};
std::array<CellEdge, 12> cellEdges();

constexpr int kMaxCellTriangles = 5;

struct CellCase {
    uint8_t triangleCount = 0;
    uint8_t edges[3 * kMaxCellTriangles] = {};  // a vertex on each, counter-clockwise seen from outside
};
std::array<CellCase, 256> cellCases();

}  // namespace purl
