// The triangles of a marching-cubes cell for each of the 256 inside/outside patterns of its corners. The table is
// computed, not stored; cells.cpp explains why the resulting meshes are closed.
#pragma once
#include <array>
#include <cstdint>

namespace purl {

// Corner c of a cell is at (c & 1, c >> 1 & 1, c >> 2 & 1); bit c of a case is set if the corner is inside. Edge e runs
// from corner cellEdges()[e].corner along +axis.
struct CellEdge {
    uint8_t corner, axis;
};
std::array<CellEdge, 12> cellEdges();

constexpr int kMaxCellTriangles = 5;

struct CellCase {
    uint8_t triangleCount = 0;
    // The cell edge of each triangle corner, counter-clockwise seen from outside.
    uint8_t edges[3 * kMaxCellTriangles] = {};
};
std::array<CellCase, 256> cellCases();

}  // namespace purl
