// Pattern: which stitch stands where, seen from the front of the fabric, with parts that repeat. Read from charts
// (docs/knitting.md), from knitout files, or one of our own.
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
    int shift = 0;        // columns that the loop below is carried to the right before this course is knitted
    bool inFront = true;  // of the others that are carried
    bool drops = false;   // the loop below is let go before this course is knitted
    int groupBegin = 0;   // a crossing is whole or not at all: its first column, from this one
    int groupEnd = 0;     // and the one after its last
    Shaping shaping = Shaping::none;  // what it does to the length of its course; charts do nothing to it

    bool operator==(const PatternStitch& other) const {
        return kind == other.kind && yarn == other.yarn && shift == other.shift && inFront == other.inFront &&
               drops == other.drops && groupBegin == other.groupBegin && groupEnd == other.groupEnd &&
               shaping == other.shaping;
    }
};

// A part of rows or columns that repeats to fill the fabric; what is before and after it comes once.
struct Repeat {
    int begin = 0, end = 0;
};

struct Pattern {
    int columns = 0, rows = 0;
    std::vector<PatternStitch> stitches;  // course by course, from the first knitted, each from the left
    Repeat acrossColumns, acrossRows;
    std::vector<std::optional<Vec3>> colors;  // of yarn A, B, …, where the pattern says
    std::vector<std::string> notes;           // what was read and left out, a line each

    const PatternStitch& at(int row, int column) const {
        return stitches[static_cast<size_t>(row) * static_cast<size_t>(columns) + static_cast<size_t>(column)];
    }
    int yarns() const;
    // The number nearest to `columns` that whole repeats come to.
    int wholeColumns(int columns) const;
};

// Stitches of a fabric, course by course. Where courses change their length, a wale goes on as it is as long as it
// lasts, and new ones go on with the pattern to the sides.
std::vector<PatternStitch> fill(const Pattern& pattern, const Courses& courses);

// What a pattern may have, before memory is taken for it; no fabric has more stitches than half of that.
constexpr int64_t kMaxPatternStitches = 4000000;
// Stitches that cross each other at once, or needles that a loop is carried over.
constexpr int kMaxCrossing = 1000;

// Throws Error naming `who`, line, column and what is wrong.
Pattern parseChart(const std::string& text, const std::string& who);
Pattern parseKnitout(const std::string& text, const std::string& who);
// One or the other, by its first line.
Pattern parsePattern(const std::string& text, const std::string& who);

// Names of our own; of one, its chart.
std::vector<std::string> patternNames();
// Throws Error naming `who` and the names there are.
Pattern patternNamed(const std::string& name, const std::string& who);

}  // namespace purl
