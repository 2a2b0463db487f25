// The way of the yarns through a lattice of stitches: bonding points in the order in which a yarn runs through them.
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

// One a yarn, each without a break. `stitches`: of all cells but the last row. `edges`: with threads that are cast on
// and bound off; else the first course hangs on nothing, and the last one's loops are open.
std::vector<YarnPath> layYarns(const Courses& courses, const std::vector<PatternStitch>& stitches, bool edges);

}  // namespace purl
