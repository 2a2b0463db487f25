// Marching cubes over blocks: the vertices and triangles of the surface between a field's nodes.
#pragma once
#include <functional>

#include "solver/surface/blocks.h"

namespace purl {

struct Triangulation {
    Buffer<int> firstVertex;  // of each block, and the end
    Buffer<Vec3> local;       // vertices, in cells from their block's first node
    Buffer<int> corners;      // three a triangle, counter-clockwise seen from outside

    explicit Triangulation(const Device& device) : firstVertex(device), local(device), corners(device) {}
    int vertexCount() const { return local.size(); }
    double bytes = 0;  // that the making took, with it
};

// Writes the field at the nodes of blocks first … first + count − 1.
using FieldOf = std::function<void(int first, int count, Span<float> nodes)>;

// Where the field passes isoValue. Beyond the blocks it is 0 in air and `full` in liquid. The field is asked for a few
// layers of blocks at a time and forgotten behind them: of a large grid most of the memory would be its.
Triangulation march(const Blocks& blocks, const FieldOf& fieldOf, float isoValue, float full);

}  // namespace purl
