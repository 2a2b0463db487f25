// Colours of springs and folds: those of one colour have no point in common, so that they may be solved side by side.
// Where points lie in rows, as those of grids and knits do, elements of one colour come in runs of eight whose points
// lie side by side in memory, once each row is put into the order of `rowSlots`.
#pragma once
#include <array>
#include <cstddef>
#include <vector>

namespace purl {

constexpr int kRunLength = 8;

// The points of an element; the last ones may be the same.
using ElementPoints = std::array<int, 4>;

// A fabric cut across into strips, so that an element has its points in one strip or in two side by side, and what
// crosses one cut has no point in common with what crosses another. All that lies interiorColors strips can be solved
// strip by strip at once, each from cache, and then all that crosses cuts: two barriers an iteration instead of one a
// colour.
struct Strips {
    int count = 1;
    std::vector<int> of;  // of each point
};

// Cut between levels of a breadth-first search over the elements. joined[i]: i + 1 is in i's row; rows stay whole, for
// the sake of runs. Points `pointsPerLayer` apart lie behind each other and in one strip.
Strips makeStrips(const std::vector<ElementPoints>& elements, const std::vector<bool>& joined, int pointsPerLayer);

// Elements of colour c in strip s lie at starts[c · strips + s] up to where the next begin; up to runEnds[…] they come
// in runs.
struct Colors {
    int strips = 1;
    int interiorColors =
        0;  // so many colours are of what lies interiorColors strips; the others are of what crosses the cut after one
    std::vector<int> starts{0};
    std::vector<int> runEnds;

    int count() const { return static_cast<int>(runEnds.size()) / strips; }
    // Of a colour in all strips.
    int begin(int color) const { return starts[static_cast<size_t>(color * strips)]; }
    int end(int color) const { return starts[static_cast<size_t>((color + 1) * strips)]; }
    // More of the same, of colours of their own.
    void append(const Colors& more);
    // All elements in runs.
    int inRuns() const;
};

// Where each point is to lie: every fourth of a row, then those next to them, and so on. Neighbours in a row, and
// next ones to these, are then far apart, and eight of a kind in a row lie side by side.
std::vector<int> rowSlots(const std::vector<bool>& joined);

struct ColoredElements {
    Colors colors;
    std::vector<int> order;  // which element is first, second …
};
// `strip`: of each element. Points `pointsPerLayer` apart lie behind each other, and what is at them comes one after
// the other, as memory is gone through.
ColoredElements colorElements(const std::vector<ElementPoints>& elements, const std::vector<int>& strip, int strips,
                              const std::vector<int>& slots, int pointsPerLayer);

}  // namespace purl
