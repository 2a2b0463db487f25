// Pattern: the stitch of each row and column, seen from the front of the fabric, with repeats. Read from charts
// (docs/knitting.md) or knitout files, or built in.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solver/core/vec.h"
#include "solver/knit/courses.h"
#include "solver/knit/stitch.h"

namespace purl {

struct PatternStitch {
    StitchKind kind = StitchKind::knit;
    int yarn = 0;         // 0: A, 1: B, …
    int shift = 0;        // columns by which the loop below is carried to the right before this course is knitted
    bool inFront = true;  // of the other carried loops
    bool drops = false;   // the loop below is dropped before this course is knitted
    int groupBegin = 0;   // a crossing is applied completely or not at all: its first column, relative to this one
    int groupEnd = 0;     // and one past its last
    Shaping shaping = Shaping::none;  // set by the fabric's shape, not by charts

    bool operator==(const PatternStitch& other) const {
        return kind == other.kind && yarn == other.yarn && shift == other.shift && inFront == other.inFront &&
               drops == other.drops && groupBegin == other.groupBegin && groupEnd == other.groupEnd &&
               shaping == other.shaping;
    }
};

// A range of rows or columns that repeats to fill the fabric; what is before and after it appears once.
struct Repeat {
    int begin = 0, end = 0;
};

struct Pattern {
    int columns = 0, rows = 0;
    std::vector<PatternStitch> stitches;  // course by course, from the first knitted, each from the left
    Repeat acrossColumns, acrossRows;
    std::vector<std::optional<Vec3>> colors;  // of yarn A, B, …, if the pattern gives them
    std::vector<std::string> notes;           // ignored parts of the input, one line each

    const PatternStitch& at(int row, int column) const {
        return stitches[static_cast<size_t>(row) * static_cast<size_t>(columns) + static_cast<size_t>(column)];
    }
    int yarns() const;
    // The number of columns nearest to `columns` that is a whole number of repeats.
    int wholeColumns(int columns) const;
};

// The stitches of a fabric, course by course. Where courses change their length, existing wales keep their column of
// the pattern, and new ones continue the pattern towards the sides.
std::vector<PatternStitch> expandPattern(const Pattern& pattern, const Courses& courses);

// Limit checked before memory is allocated; a fabric has at most half as many stitches.
constexpr int64_t kMaxPatternStitches = 4000000;
// Most stitches in one crossing, and most needles over which a loop is carried.
constexpr int kMaxCrossing = 1000;

// Throw Error naming `who`, line, column and the problem.
Pattern parseChart(const std::string& text, const std::string& who);
Pattern parseKnitout(const std::string& text, const std::string& who);
// Either format, detected by the first line.
Pattern parsePattern(const std::string& text, const std::string& who);

// Names of the built-in patterns.
std::vector<std::string> patternNames();
// The built-in pattern of that name. Throws Error naming `who` and the known names.
Pattern builtInPattern(const std::string& name, const std::string& who);

}  // namespace purl
