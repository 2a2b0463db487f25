// Colours of springs and folds: those of one colour have no point in common, so that they may be solved side by side.
// Where points lie in rows, as those of grids and knits do, elements of one colour come in runs of eight whose points
// lie side by side in memory, once each row is put into the order of `rowPlaces`.
#pragma once
#include <array>
#include <vector>

namespace purl {

constexpr int kRun = 8;

// Elements of colour c lie at starts[c] … starts[c+1]; up to runEnds[c] they come in runs.
struct Colors {
    std::vector<int> starts{0};
    std::vector<int> runEnds;

    int count() const { return static_cast<int>(starts.size()) - 1; }
    // More of the same, of colours of their own.
    void append(const Colors& more);
    // All elements in runs.
    int inRuns() const;
};

// Where each point is to lie: every fourth of a row, then those next to them, and so on. Neighbours in a row, and
// next ones to these, are then far apart, and eight of a kind in a row lie side by side. joined[i]: i + 1 is in i's
// row.
std::vector<int> rowPlaces(const std::vector<bool>& joined);

// The points of an element; the last ones may be the same.
using ElementPoints = std::array<int, 4>;

struct Colored {
    Colors colors;
    std::vector<int> order;  // which element is first, second …
};
// Points `ofLayer` apart lie behind each other, and what is at them comes one after the other: so each part of an order
// is a part of the fabric, the same one in all colours, and threads do not take each other's points away.
Colored colored(const std::vector<ElementPoints>& elements, const std::vector<int>& places, int ofLayer);

}  // namespace purl
