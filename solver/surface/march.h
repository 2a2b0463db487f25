// Marching cubes over blocks: the vertices and triangles of the surface between a field's nodes.
#pragma once
#include "solver/surface/blocks.h"

namespace purl {

struct Triangulation {
    Buffer<int> firstVertex;  // of each block, and the end
    Buffer<Vec3> local;       // vertices, in cells from their block's first node
    Buffer<int> corners;      // three a triangle, counter-clockwise seen from outside

    explicit Triangulation(const Device& device) : firstVertex(device), local(device), corners(device) {}
    int vertexCount() const { return local.size(); }
    size_t bytes = 0;  // that the making took beside the field
};

// Where the field passes isoValue. Beyond the blocks it is 0 in air and `full` in liquid.
Triangulation march(const Blocks& blocks, const Buffer<float>& field, float isoValue, float full);

}  // namespace purl
