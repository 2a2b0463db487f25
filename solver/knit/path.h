// The path of each yarn through a lattice of stitches: its bonding points in order.
#pragma once
#include <vector>

#include "solver/knit/pattern.h"

namespace purl {

struct YarnPoint {
    int row, column;  // the cell that it is bound to
    BondingPoint bond;
    int course, wale;  // the stitch that it belongs to; course -1: cast-on
};

struct YarnPath {
    int yarn = 0;  // 0: A, 1: B, …
    std::vector<YarnPoint> points;
};

// One continuous path per yarn. `stitches`: of all cells but the last row. `edges`: with cast-on and bind-off;
// otherwise the first course has nothing below it and the loops of the last course stay open.
std::vector<YarnPath> routeYarns(const Courses& courses, const std::vector<PatternStitch>& stitches, bool edges);

}  // namespace purl
