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

std::vector<PatternStitch> fill(const Pattern& pattern, int rows, int columns) {
    std::vector<PatternStitch> stitches;
    stitches.reserve(static_cast<size_t>(rows) * static_cast<size_t>(columns));
    for (int r = 0; r < rows; ++r) {
        const int row = source(r, rows, pattern.rows, pattern.acrossRows);
        const auto from = [&](int c) { return source(c, columns, pattern.columns, pattern.acrossColumns); };
        for (int c = 0; c < columns; ++c) {
            PatternStitch stitch = pattern.at(row, from(c));
            // Where the fabric's edge or a repeat cuts through a crossing, its stitches stay in their columns.
            bool whole = c + stitch.groupBegin >= 0 && c + stitch.groupEnd <= columns;
            for (int k = stitch.groupBegin; whole && k < stitch.groupEnd; ++k) whole = from(c + k) == from(c) + k;
            if (!whole) stitch.shift = stitch.groupBegin = stitch.groupEnd = 0;
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
