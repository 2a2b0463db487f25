// XPBD eight springs or folds at a time, on the CPU. It is memory that they wait for: springs in runs know where their
// points are by two numbers, and those of a length by one more; nothing is read of forces in the first iteration, and
// nothing kept of them in the last.
#pragma once
#include <vector>

#include "solver/cloth/fabric.h"
#include "solver/core/lanes.h"

namespace purl {

// Eight springs of one colour. What is missing to eight has both ends in its strip's placeholder, behind the last
// point.
struct alignas(32) SpringBlock {
    int a[8], b[8];
    float rest[8], compliance[8];  // m, m/N
};
// A run of springs that are as long as each other.
struct alignas(16) EvenSprings {
    int a, b;  // of the first
    float rest;
    float compliance[8];
};

// Eight folds of one colour.
struct alignas(32) BendBlock {
    int v[4][8];
    float c[4][8];
    float rest[8], compliance[8];
    int points;  // 3 where no fourth has weight
};
// A run of folds of one shape.
struct alignas(16) EvenBends {
    int v[4];  // of the first
    float c[4];
    float rest;
    int points;
    float compliance[8];
};

// Springs or folds, strip by strip and in a strip colour by colour. First those that are even, then runs, then eights
// of what found no seven others.
template <class Even, class Block, int kForces>
struct Blocks {
    explicit Blocks(const Device& device)
        : even(device), others(device), evenForces(device), otherForces(device), firstOf(device) {}

    // Of one colour in one strip.
    struct Cell {
        int even, evenEnd, runs, runsEnd, end;
    };
    std::vector<Cell> cells;  // as in Colors
    int strips = 1, within = 0;
    Buffer<Even> even;
    Buffer<Block> others;
    Buffer<float> evenForces, otherForces;  // λ, N·s²: kForces times eight a block
    Buffer<int> firstOf;                    // the fabric's element that each begins with, of even ones and then others

    int count() const { return even.size() + others.size(); }
    // Those of a strip, in the order of their colours: what lies within, or what crosses the cut after it.
    template <class Visit>
    void forEachCell(bool crossing, int strip, const Visit& visit) const {
        const auto end = crossing ? cells.size() : static_cast<size_t>(within * strips);
        for (auto cell = static_cast<size_t>((crossing ? within : 0) * strips + strip); cell < end;
             cell += static_cast<size_t>(strips))
            visit(cells[cell]);
    }
};

// Coordinates of all points, x by x, y by y and z by z, and a number for each.
struct Rows {
    float* row[4];
};
class RowBuffer {
  public:
    explicit RowBuffer(const Device& device) : values_(device) {}

    // So many points, of any values.
    Rows of(int count) {
        values_.renew(4 * count);
        return {{values_.data(), values_.data() + count, values_.data() + 2 * count, values_.data() + 3 * count}};
    }

  private:
    Buffer<float> values_;
};

class XpbdLanes {
  public:
    explicit XpbdLanes(const Device& device);

    // See Xpbd::solve. Only where kHasLanes.
    void solve(const Fabric& fabric, float dt, int iterations, const Vec3* xBefore, Vec3* x);

  private:
    // Points anywhere, each in one load; or in rows, so that runs are loaded eight at a time.
    void solveGathered(const Fabric& fabric, float dt, int iterations, const Vec3* xBefore, Vec3* x);
    void solveRows(const Fabric& fabric, float dt, int iterations, const Vec3* xBefore, Vec3* x);
    template <class Runs, class Others>
    void project(const Fabric& fabric, float dt, int iterations, const Runs& runs, const Others& others);
    void pack(const Fabric& fabric);
    void packSprings(const Fabric& fabric);
    void packBends(const Fabric& fabric);

    unsigned packed_ = 0, stiff_ = 0;  // the fabric's versions that the blocks are of
    Blocks<EvenSprings, SpringBlock, 1> springs_;
    Blocks<EvenBends, BendBlock, 3> bends_;
    Buffer<Float4> points_, before_;
    bool inRows_ = false;
    Buffer<int> places_;  // of the points in the rows
    RowBuffer rows_, rowsBefore_;
};

}  // namespace purl
