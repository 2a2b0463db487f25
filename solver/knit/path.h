// The way of the yarns through a lattice of stitches: bonding points in the order in which a yarn runs through them.
#pragma once
#include <vector>

#include "solver/knit/pattern.h"

namespace purl {

// Cells of courses (rows, from the first knitted) and wales (columns, from the left), and the mass points between them.
// A closed lattice is a tube: where a course ends the next begins, one course higher, so that it is one spiral. One row
// of cells more than there are courses is there for the thread that binds off.
struct LatticeSize {
    int courses = 0, wales = 0;
    bool closed = false;

    PURL_HD int perRow() const { return closed ? wales : wales + 1; }
    PURL_HD int rows() const { return courses + 1; }
    PURL_HD int cells() const { return rows() * wales; }
    PURL_HD int points() const { return closed ? (rows() + 1) * wales + 1 : (rows() + 1) * (wales + 1); }
    PURL_HD int point(int row, int column) const { return row * perRow() + column; }
    // m1 … m4 of a cell. On a tube, the point after a row's last is the first of the next.
    PURL_HD int corner(int row, int column, int m) const {
        return point(m < 2 ? row + 1 : row, m % 2 ? column + 1 : column);
    }
};

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
std::vector<YarnPath> layYarns(const LatticeSize& size, const std::vector<PatternStitch>& stitches, bool edges);

}  // namespace purl
