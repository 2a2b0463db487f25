#include "solver/knit/pattern.h"

#include <algorithm>

#include "solver/core/error.h"

namespace purl {
namespace {

struct NamedChart {
    const char* name;
    const char* chart;
};

const NamedChart kCharts[] = {
    {"stockinette", "k"},
    {"reverseStockinette", "p"},
    {"garter",
     "p\n"
     "k"},
    {"rib", "k p"},
    {"rib2x2", "k k p p"},
    {"seed",
     "p k\n"
     "k p"},
    {"cable",
     "p [ p p k k k k p p ] p\n"
     "p [ p p k k k k p p ] p\n"
     "p [ p p k k k k p p ] p\n"
     "p [ p p > > < < p p ] p\n"
     "p [ p p k k k k p p ] p\n"
     "p [ p p k k k k p p ] p"},
    {"lace",
     "k [ k k k o \\ k k k ] k\n"
     "k [ k k k k k k k k ] k\n"
     "k [ k k o \\ k / o k ] k\n"
     "k [ k k k k k k k k ] k\n"
     "k [ k o \\ k k k / o ] k\n"
     "k [ k k k k k k k k ] k"},
    {"fairIsle",
     "A A A A A A A A\n"
     "A A A B A A A A\n"
     "A A B A B A A A\n"
     "A B A B A B A A\n"
     "B A B A B A B A\n"
     "A B A B A B A A\n"
     "A A B A B A A A\n"
     "A A A B A A A A\n"
     "A A A A A A A A\n"
     "B A B A B A B A"},
};

// The chart row or column for one of `count` rows or columns; the chart has `whole`.
int source(int i, int count, int whole, Repeat repeat) {
    const int after = whole - repeat.end, length = repeat.end - repeat.begin;
    if (i >= count - after && i >= repeat.begin) return whole - (count - i);
    if (i < repeat.begin) return std::min(i, whole - 1);
    return repeat.begin + (i - repeat.begin) % length;
}

// Chart columns of a course that is longer or shorter than the one below, whose chart columns are `below`.
std::vector<int> continueColumns(const Pattern& pattern, const std::vector<int>& below, const Courses& courses,
                                 int row) {
    const Repeat& repeat = pattern.acrossColumns;
    std::vector<int> from(static_cast<size_t>(courses.wales(row)), -1);
    for (int c = 0; c < courses.wales(row - 1); ++c)
        if (courses.carried(row - 1, c) == 0) from[courses.above(row - 1, c)] = below[c];
    for (const ShapedStitch& stitch : courses.shaped(row)) {
        if (stitch.how != Shaping::made) continue;
        const auto at = static_cast<size_t>(stitch.column);
        // There is always a known neighbour: increases are not at an end or next to each other.
        if (2 * stitch.column < courses.wales(row)) {
            const int right = from[at + 1];
            from[at] = right > repeat.begin && right < repeat.end ? right - 1 : repeat.end - 1;
        } else {
            const int left = from[at - 1];
            from[at] = left >= repeat.begin && left + 1 < repeat.end ? left + 1 : repeat.begin;
        }
    }
    return from;
}

// True if a decrease no longer has its partner from the chart beside it, or a yarn-over no longer has its decrease:
// then both become plain stitches.
bool hasLostPartner(const Pattern& pattern, int row, const std::vector<int>& from, int column,
                    const std::vector<Shaping>& shaping) {
    const auto leanOf = [&](int c) {
        return c >= 0 && c < pattern.columns ? stitchOf(pattern.at(row, c).kind).lean : 0;
    };
    const auto isBeside = [&](int side) {
        const int other = column + side;
        if (other < 0 || other >= static_cast<int>(from.size())) return false;
        const auto at = static_cast<size_t>(column), beside = static_cast<size_t>(other);
        return from[beside] == from[at] + side && shaping[at] == Shaping::none && shaping[beside] == Shaping::none;
    };
    const int own = from[column];
    if (leanOf(own) != 0) return !isBeside(leanOf(own));
    if (pattern.at(row, own).kind != StitchKind::yarnOver) return false;
    for (const int side : {-1, 1})
        if (leanOf(own + side) == -side) return !isBeside(side);
    return false;
}

}  // namespace

int Pattern::yarns() const {
    int most = 0;
    for (const PatternStitch& stitch : stitches) most = std::max(most, stitch.yarn);
    return most + 1;
}

int Pattern::wholeColumns(int wanted) const {
    const int length = acrossColumns.end - acrossColumns.begin, once = columns - length;
    const int repeats = std::max(1, (wanted - once + length / 2) / length);
    return once + repeats * length;
}

std::vector<PatternStitch> expandPattern(const Pattern& pattern, const Courses& courses) {
    std::vector<PatternStitch> stitches;
    std::vector<int> from, below;  // chart column of each stitch
    for (int c = 0; c < courses.wales(0); ++c)
        from.push_back(source(c, courses.wales(0), pattern.columns, pattern.acrossColumns));
    for (int r = 0; r < courses.count(); ++r) {
        const int row = source(r, courses.count(), pattern.rows, pattern.acrossRows), wales = courses.wales(r);
        if (!courses.shaped(r).empty()) {
            below.swap(from);
            from = continueColumns(pattern, below, courses, r);
        }
        std::vector<Shaping> shaping(static_cast<size_t>(wales), Shaping::none);
        for (const ShapedStitch& shaped : courses.shaped(r)) shaping[shaped.column] = shaped.how;
        for (int c = 0; c < wales; ++c) {
            const auto at = static_cast<size_t>(c);
            PatternStitch stitch = pattern.at(row, from[at]);
            // If the fabric's edge, a repeat or shaping cuts a crossing, its stitches stay in their columns.
            bool whole = c + stitch.groupBegin >= 0 && c + stitch.groupEnd <= wales;
            for (int k = stitch.groupBegin; whole && k < stitch.groupEnd; ++k) {
                const auto other = static_cast<size_t>(c + k);
                whole = from[other] == from[at] + k && shaping[other] == Shaping::none;
            }
            if (!whole) stitch.shift = stitch.groupBegin = stitch.groupEnd = 0;
            if (hasLostPartner(pattern, row, from, c, shaping)) stitch.kind = StitchKind::knit;
            if (shaping[at] != Shaping::none) {
                if (stitch.kind != StitchKind::purl) stitch.kind = StitchKind::knit;
                stitch.shift = 0;
                stitch.drops = false;
                stitch.shaping = shaping[at];
            }
            stitches.push_back(stitch);
        }
    }
    return stitches;
}

std::vector<std::string> patternNames() {
    std::vector<std::string> names;
    for (const NamedChart& named : kCharts) names.push_back(named.name);
    return names;
}

Pattern builtInPattern(const std::string& name, const std::string& who) {
    std::string names;
    for (const NamedChart& named : kCharts) {
        if (name == named.name) return parseChart(named.chart, name);
        names += (names.empty() ? "" : ", ") + std::string(named.name);
    }
    throw Error(who + ": pattern \"" + name + "\" is not known; use " + names + ", or a file name");
}

Pattern parsePattern(const std::string& text, const std::string& who) {
    return text.compare(0, 9, ";!knitout") == 0 ? parseKnitout(text, who) : parseChart(text, who);
}

}  // namespace purl
