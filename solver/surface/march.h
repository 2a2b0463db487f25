// Marching cubes over blocks: vertices and triangles of the iso surface of a field.
#pragma once
#include <functional>

#include "solver/surface/blocks.h"

namespace purl {

struct Triangulation {
    Buffer<int> firstVertex;  // of each block, and the end
    Buffer<Vec3> local;       // vertices in cells, relative to the first node of their block
    Buffer<int> corners;      // three per triangle, counter-clockwise seen from outside

    explicit Triangulation(const Device& device) : firstVertex(device), local(device), corners(device) {}
    int vertexCount() const { return local.size(); }
    double bytes = 0;  // peak memory of the extraction, the result included
};

// Evaluates the field at the nodes of blocks first … first + count − 1.
using EvaluateField = std::function<void(int first, int count, Span<float> nodes)>;

// Extracts the surface where the field equals isoValue. Outside the blocks the field is 0 in air and `full` in liquid.
// The field is evaluated a few layers of blocks at a time and then discarded: it would take most of the memory of a
// large grid.
Triangulation march(const BlockGrid& blocks, const EvaluateField& evaluateField, float isoValue, float full);

}  // namespace purl
