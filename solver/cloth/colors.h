// Graph colouring of springs and folds: elements of one colour share no point and can be solved in parallel. Where
// points form rows, as in grids and knits, elements of one colour come in runs of eight with contiguous points, once
// each row is reordered by `rowSlots`.
#pragma once
#include <array>
#include <cstddef>
#include <vector>

namespace purl {

constexpr int kRunLength = 8;

// Point indices of an element; the last may repeat.
using ElementPoints = std::array<int, 4>;

// A fabric cut into strips such that each element lies in one strip or two adjacent ones, and elements crossing
// different cuts share no point. All strip interiors are solved in parallel, each from cache, then all elements that
// cross cuts: two barriers per iteration instead of one per colour.
struct Strips {
    int count = 1;
    std::vector<int> stripOf;  // strip of each point
};

// Cuts between levels of a breadth-first search over the elements. joined[i]: point i + 1 is in the same row as i; rows
// are not cut, to keep runs. Points that differ by a multiple of `pointsPerLayer` are in the same strip.
Strips makeStrips(const std::vector<ElementPoints>& elements, const std::vector<bool>& joined, int pointsPerLayer);

// Elements of colour c in strip s are starts[c · strips + s] up to the next start; up to runEnds[…] they form runs.
struct Colors {
    int strips = 1;
    int interiorColors = 0;  // the first colours are interior to strips, the others cross the cut after a strip
    std::vector<int> starts{0};
    std::vector<int> runEnds;

    int count() const { return static_cast<int>(runEnds.size()) / strips; }
    // Range of a colour over all strips.
    int begin(int color) const { return starts[color * strips]; }
    int end(int color) const { return starts[(color + 1) * strips]; }
    // Appends more elements as separate colours.
    void append(const Colors& more);
    // Number of elements in runs.
    int inRuns() const;
};

// Storage slot of each point: every fourth point of a row, then the ones after them, and so on. Neighbours within two
// steps are then far apart, and eight similar elements of a row have contiguous points.
std::vector<int> rowSlots(const std::vector<bool>& joined);

struct ColoredElements {
    Colors colors;
    std::vector<int> order;  // element indices in order
};
// `strip`: strip of each element. Elements are ordered by slot within the layer, so that memory is read in sequence.
ColoredElements colorElements(const std::vector<ElementPoints>& elements, const std::vector<int>& strip, int strips,
                              const std::vector<int>& slots, int pointsPerLayer);

}  // namespace purl
