// Courses: a lattice of stitches, and which stand on which. Courses may differ in length, as a sleeve's do: where one
// is narrower than the one below, some of its stitches take two loops together; where it is wider, some are made of the
// yarn between two.
#pragma once
#include <array>
#include <vector>

#include "solver/params/knit.h"

namespace purl {

// What a stitch does to the length of its course. A loop is knitted together with the one to its right (k2tog) or to
// its left (ssk); one is made by lifting the yarn between two.
enum class Shaping { none, joinsRight, joinsLeft, made };

struct ShapedStitch {
    int column;  // in its own course
    Shaping how;
};

// Cells of courses (rows, from the first knitted) and wales (columns, from the left), and the mass points at their
// corners. One row of cells more than there are courses is there for the thread that binds off. A closed lattice is a
// tube: where a course ends the next begins, one course higher, so that it is one spiral.
class Courses {
  public:
    Courses() = default;
    // All of one length.
    Courses(int courses, int wales, bool closed = false);
    // `shaped`: of each course, from left to right; of the first, none. None is made at an end, nor two side by side.
    Courses(int firstWales, const std::vector<std::vector<ShapedStitch>>& shaped, bool closed);

    int count() const { return static_cast<int>(shaped_.size()); }
    bool closed() const { return closed_; }
    int rows() const { return count() + 1; }
    // Cells of a row, and of the row of mass points beyond the last.
    int wales(int row) const { return wales_[row]; }
    const std::vector<ShapedStitch>& shaped(int row) const { return shaped_[row]; }
    bool anyShaped() const;

    int cells() const { return firstCell_.back(); }
    int cell(int row, int column) const { return firstCell_[row] + column; }
    // On a tube, the point after a row's last is the first of the next.
    int point(int row, int column) const { return firstPoint_[row] + column; }
    int perRow(int row) const { return closed_ ? wales(row) : wales(row) + 1; }
    // Those below and above all courses; behind them come those of a row beyond, for the thread that binds off.
    int massPoints() const { return point(rows(), 0) + (closed_ ? 1 : 0); }
    int points() const { return point(rows() + 1, 0) + (closed_ ? 1 : 0); }
    // m1 … m4 of a cell, as a BondingPoint has them. Of one whose loop is taken along by another, m1 is m2.
    int corner(int row, int column, int m) const;

    // The column of the next row that takes the loop of this cell, and by how many to the right that carries it: 0, or
    // one of those that are knitted together.
    int above(int row, int column) const { return tops_[cell(row, column)].above; }
    int carried(int row, int column) const { return tops_[cell(row, column)].carried; }
    // Between this cell and the one to its left a stitch of the next row is made: its column, or -1.
    int madeBefore(int row, int column) const;
    // Of each stitch that is made, the mass points between it and the row below: to its right, to its left, below.
    std::vector<std::array<int, 3>> gaps() const;

  private:
    // What is above a cell: columns of the points at its upper corners, and of the cell that takes its loop.
    struct Top {
        int left, right, above, carried;
    };
    void setTops();

    bool closed_ = false;
    std::vector<std::vector<ShapedStitch>> shaped_;
    std::vector<int> wales_;  // of each row of mass points
    std::vector<int> firstCell_{0}, firstPoint_{0};
    std::vector<Top> tops_;
};

// Courses of about `wanted` stitches each: a course changes by what it is off by, as far as a knitter can in one. A
// mesh that narrows faster has narrower stitches there.
Courses shapeCourses(const std::vector<double>& wanted, bool closed, KnitShaping shaping);

// Where a row's mass points are along it, from 0 to 1: evenly, or, near where stitches were put in or taken out among
// others, a little aside, so that wales bend around those and not each in one course.
std::vector<std::vector<double>> spacingOf(const Courses& courses, KnitShaping shaping);

}  // namespace purl
