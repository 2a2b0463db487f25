// XPBD with eight springs or folds at a time (AVX2). The loop is bound by memory: runs store only the first point
// indices, uniform runs a single length; λ is not read in the first iteration and not written in the last.
#pragma once
#include <vector>

#include "solver/cloth/fabric.h"
#include "solver/core/lanes.h"

namespace purl {

// Eight springs of one colour. Unused lanes connect the dummy point of their strip, after the last point.
struct alignas(32) SpringBlock {
    int a[8], b[8];
    float rest[8], compliance[8];  // m, m/N
};
// A run of springs with equal rest lengths.
struct alignas(16) UniformSprings {
    int a, b;  // of the first spring
    float rest;
    float compliance[8];
};

// Eight folds of one colour.
struct alignas(32) BendBlock {
    int v[4][8];
    float c[4][8];
    float rest[8], compliance[8];
    int points;  // 3 if all fourth weights are 0
};
// A run of folds with equal weights and rest lengths.
struct alignas(16) UniformBends {
    int v[4];  // of the first fold
    float c[4];
    float rest;
    int points;
    float compliance[8];
};

// Blocks of springs or folds, strip by strip, within a strip colour by colour: uniform runs first, then other runs,
// then blocks of scattered elements.
template <class Uniform, class Block, int kLambdas>
struct ElementBlocks {
    explicit ElementBlocks(const Device& device)
        : uniform(device), others(device), uniformLambdas(device), otherLambdas(device), firstElement(device) {}

    // The blocks of one colour in one strip.
    struct Cell {
        int uniform, uniformEnd, runs, runsEnd, end;
    };
    std::vector<Cell> cells;  // as in Colors
    int strips = 1, interiorColors = 0;
    Buffer<Uniform> uniform;
    Buffer<Block> others;
    Buffer<float> uniformLambdas, otherLambdas;  // λ, N·s²: kLambdas × 8 per block
    Buffer<int> firstElement;                    // first fabric element of each block, uniform ones first

    int count() const { return uniform.size() + others.size(); }
    // Cells of a strip in colour order: its interior, or what crosses the cut after it.
    template <class Visit>
    void forEachCell(bool crossing, int strip, const Visit& visit) const {
        const auto end = crossing ? cells.size() : static_cast<size_t>(interiorColors * strips);
        for (auto cell = static_cast<size_t>((crossing ? interiorColors : 0) * strips + strip); cell < end;
             cell += static_cast<size_t>(strips))
            visit(cells[cell]);
    }
};

// Structure of arrays: x, y, z and inverse mass of all points.
struct SoaPoints {
    float* channel[4];
};
class SoaBuffer {
  public:
    explicit SoaBuffer(const Device& device) : values_(device) {}

    // Uninitialized arrays for `count` points.
    SoaPoints resize(int count) {
        values_.resizeDiscard(4 * count);
        return {{values_.data(), values_.data() + count, values_.data() + 2 * count, values_.data() + 3 * count}};
    }

  private:
    Buffer<float> values_;
};

class XpbdLanes {
  public:
    explicit XpbdLanes(const Device& device);

    // See Xpbd::solve. Requires kHasLanes.
    void solve(const Fabric& fabric, float dt, int iterations, const Vec3* xBefore, Vec3* x);

  private:
    // Points in any order, gathered one by one; or in slot order, so that runs load contiguously.
    void solveGathered(const Fabric& fabric, float dt, int iterations, const Vec3* xBefore, Vec3* x);
    void solveRuns(const Fabric& fabric, float dt, int iterations, const Vec3* xBefore, Vec3* x);
    template <class Runs, class Others>
    void project(const Fabric& fabric, float dt, int iterations, const Runs& runs, const Others& others);
    void pack(const Fabric& fabric);
    void packSprings(const Fabric& fabric);
    void packBends(const Fabric& fabric);

    unsigned packedVersion_ = 0, packedStiffness_ = 0;  // fabric versions of the blocks
    ElementBlocks<UniformSprings, SpringBlock, 1> springs_;
    ElementBlocks<UniformBends, BendBlock, 3> bends_;
    Buffer<Float4> points_, before_;
    bool inRuns_ = false;
    Buffer<int> slots_;  // of each point
    SoaBuffer soa_, soaBefore_;
};

}  // namespace purl
