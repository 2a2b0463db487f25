// Courses: a lattice of stitches and their connections from course to course. Courses may differ in length, as in a
// sleeve: where one is narrower than the course below, some stitches knit two loops together; where it is wider, some
// are made from the yarn between two stitches.
#pragma once
#include <array>
#include <vector>

#include "solver/params/knit.h"

namespace purl {

// How a stitch changes the length of its course. Decreases knit a loop together with the one to its right (k2tog) or to
// its left (ssk); an increase lifts the yarn between two stitches (make one).
enum class Shaping { none, joinsRight, joinsLeft, made };

struct ShapedStitch {
    int column;  // in its own course
    Shaping how;
};

// Cells of courses (rows, from the first knitted) and wales (columns, from the left), and the mass points at their
// corners. There is one row of cells more than courses, for the bind-off. A closed lattice is a tube knitted in a
// spiral: the end of a course is the start of the next, one course higher.
class Courses {
  public:
    Courses() = default;
    // All courses of the same length.
    Courses(int courses, int wales, bool closed = false);
    // `shaped`: per course, from left to right; none in the first. Increases must not be at an end or next to each
    // other.
    Courses(int firstWales, const std::vector<std::vector<ShapedStitch>>& shaped, bool closed);

    int count() const { return static_cast<int>(shaped_.size()); }
    bool closed() const { return closed_; }
    int rows() const { return count() + 1; }
    // Cells of a row, or of the row of mass points above the last.
    int wales(int row) const { return wales_[row]; }
    const std::vector<ShapedStitch>& shaped(int row) const { return shaped_[row]; }
    bool anyShaped() const;

    int cells() const { return firstCell_.back(); }
    int cell(int row, int column) const { return firstCell_[row] + column; }
    // On a tube, the point after the last of a row is the first of the next row.
    int point(int row, int column) const { return firstPoint_[row] + column; }
    int perRow(int row) const { return closed_ ? wales(row) : wales(row) + 1; }
    // Points below and above all courses. `points` also counts the row behind them, for the bind-off.
    int massPoints() const { return point(rows(), 0) + (closed_ ? 1 : 0); }
    int points() const { return point(rows() + 1, 0) + (closed_ ? 1 : 0); }
    // m1 … m4 of a cell, as in BondingPoint. If the loop of the cell is taken by its neighbour's stitch, m1 is m2.
    int corner(int row, int column, int m) const;

    // The column of the next row that takes the loop of this cell, and by how many columns the loop is carried to the
    // right: nonzero only for one of the two loops of a decrease.
    int above(int row, int column) const { return tops_[cell(row, column)].above; }
    int carried(int row, int column) const { return tops_[cell(row, column)].carried; }
    // The column of the stitch of the next row that is made between this cell and its left neighbour, or -1.
    int madeBefore(int row, int column) const;
    // For each increase, the mass points of the triangle between it and the row below: right, left, below.
    std::vector<std::array<int, 3>> gaps() const;

  private:
    // Connections above a cell: columns of its upper corners, and of the cell that takes its loop.
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

// Courses of about `wanted` stitches each. A course changes by the difference, as far as is possible in one course;
// where a mesh narrows faster, its stitches are narrower.
Courses shapeCourses(const std::vector<double>& wanted, bool closed, KnitShaping shaping);

// Positions of a row's mass points along it, 0 … 1. Evenly spaced, or relaxed near increases and decreases inside the
// fabric, so that the wales bend around them gradually.
std::vector<std::vector<double>> coursePositions(const Courses& courses, KnitShaping shaping);

}  // namespace purl
