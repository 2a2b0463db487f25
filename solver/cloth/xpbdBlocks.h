// The springs and folds of a fabric in blocks of eight, as XPBD reads them. The loop is bound by memory: runs store
// only the first point indices, uniform runs a single length; λ is not read in the first iteration and not written in
// the last.
#pragma once
#include <vector>

#include "solver/cloth/fabric.h"
#include "solver/core/lanes.h"
#include "solver/core/mirrored.h"

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

// A block's form, which says how its points are found: eight neighbours, equal or not, or anywhere.
enum class BlockForm { uniform, run, scattered };
constexpr int kBlockForms = 3;

// Blocks of springs or folds, strip by strip, within a strip colour by colour: uniform runs first, then other runs,
// then blocks of scattered elements.
template <class Uniform, class Block, int kLambdas>
struct ElementBlocks {
    explicit ElementBlocks(const Device& device)
        : uniform(device),
          others(device),
          uniformLambdas(device),
          otherLambdas(device),
          firstElement(device),
          byColor(device) {}

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
    Buffer<int> byColor;                         // kBlockForms × block + its form, of colour 0, 1, …
    std::vector<int> colorStarts;                // in byColor

    int count() const { return uniform.size() + others.size(); }
    int colors() const { return static_cast<int>(colorStarts.size()) - 1; }
    // Cells of a strip in colour order: its interior, or what crosses the cut after it.
    template <class Visit>
    void forEachCell(bool crossing, int strip, const Visit& visit) const {
        const auto end = crossing ? cells.size() : static_cast<size_t>(interiorColors * strips);
        for (auto cell = static_cast<size_t>((crossing ? interiorColors : 0) * strips + strip); cell < end;
             cell += static_cast<size_t>(strips))
            visit(cells[cell]);
    }
};
using SpringBlocks = ElementBlocks<UniformSprings, SpringBlock, 1>;
using BendBlocks = ElementBlocks<UniformBends, BendBlock, 3>;

class XpbdBlocks {
  public:
    explicit XpbdBlocks(const Device& device);

    // Brings the blocks up to date with the fabric's topology and stiffness.
    void pack(const Fabric& fabric);

    // Whether points are stored in slot order, so that runs load contiguously; otherwise in the order of the fabric.
    bool inRuns = false;
    Mirrored<int> slots;  // of each point, if inRuns
    SpringBlocks springs;
    BendBlocks bends;

    // Points with the dummies that follow them.
    static int countWithDummies(const Fabric& fabric);

  private:
    void packSprings(const Fabric& fabric);
    void packBends(const Fabric& fabric);

    unsigned packedVersion_ = 0, packedStiffness_ = 0;  // fabric versions of the blocks
};

}  // namespace purl
