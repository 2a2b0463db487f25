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

// Where one of `count` rows or columns comes from in a chart of `whole`.
int source(int i, int count, int whole, Repeat repeat) {
    const int after = whole - repeat.end, length = repeat.end - repeat.begin;
    if (i >= count - after && i >= repeat.begin) return whole - (count - i);
    if (i < repeat.begin) return std::min(i, whole - 1);
    return repeat.begin + (i - repeat.begin) % length;
}

// Columns of the chart in a course that is longer or shorter than the one below, which has `below`.
std::vector<int> goOn(const Pattern& pattern, const std::vector<int>& below, const Courses& courses, int row) {
    const Repeat& repeat = pattern.acrossColumns;
    std::vector<int> from(static_cast<size_t>(courses.wales(row)), -1);
    for (int c = 0; c < courses.wales(row - 1); ++c)
        if (courses.carried(row - 1, c) == 0) from[courses.above(row - 1, c)] = below[c];
    for (const ShapedStitch& stitch : courses.shaped(row)) {
        if (stitch.how != Shaping::made) continue;
        const auto at = static_cast<size_t>(stitch.column);
        // None is made at an end, or beside another that is not yet known.
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

// Whether a stitch that takes its neighbour's loop along has not the chart's neighbour beside it any more, nor a
// yarn-over the one that took its loop: then both are plain.
bool lacks(const Pattern& pattern, int row, const std::vector<int>& from, int column,
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

std::vector<PatternStitch> fill(const Pattern& pattern, const Courses& courses) {
    std::vector<PatternStitch> stitches;
    std::vector<int> from, below;  // columns of the chart, of each stitch
    for (int c = 0; c < courses.wales(0); ++c)
        from.push_back(source(c, courses.wales(0), pattern.columns, pattern.acrossColumns));
    for (int r = 0; r < courses.count(); ++r) {
        const int row = source(r, courses.count(), pattern.rows, pattern.acrossRows), wales = courses.wales(r);
        if (!courses.shaped(r).empty()) {
            below.swap(from);
            from = goOn(pattern, below, courses, r);
        }
        std::vector<Shaping> shaping(static_cast<size_t>(wales), Shaping::none);
        for (const ShapedStitch& shaped : courses.shaped(r)) shaping[shaped.column] = shaped.how;
        for (int c = 0; c < wales; ++c) {
            const auto at = static_cast<size_t>(c);
            PatternStitch stitch = pattern.at(row, from[at]);
            // Where the fabric's edge, a repeat or shaping cuts through a crossing, its stitches stay in their columns.
            bool whole = c + stitch.groupBegin >= 0 && c + stitch.groupEnd <= wales;
            for (int k = stitch.groupBegin; whole && k < stitch.groupEnd; ++k) {
                const auto other = static_cast<size_t>(c + k);
                whole = from[other] == from[at] + k && shaping[other] == Shaping::none;
            }
            if (!whole) stitch.shift = stitch.groupBegin = stitch.groupEnd = 0;
            if (lacks(pattern, row, from, c, shaping)) stitch.kind = StitchKind::knit;
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

Pattern patternNamed(const std::string& name, const std::string& who) {
    std::string names;
    for (const NamedChart& named : kCharts) {
        if (name == named.name) return parseChart(named.chart, name);
        names += (names.empty() ? "" : ", ") + std::string(named.name);
    }
    throw Error(who + ": pattern \"" + name + "\" is not known; there are " + names + ", or name a file");
}

Pattern parsePattern(const std::string& text, const std::string& who) {
    return text.compare(0, 9, ";!knitout") == 0 ? parseKnitout(text, who) : parseChart(text, who);
}

}  // namespace purl
