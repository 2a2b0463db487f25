// Charts: the front of the fabric as rows of letters, the lowest row knitted first. docs/knitting.md defines the
// syntax.
#include <charconv>
#include <cstring>

#include "solver/core/error.h"
#include "solver/knit/pattern.h"

namespace purl {
namespace {

// A position in the text, for error messages.
struct Place {
    const std::string& who;
    int line, column;  // from 1

    [[noreturn]] void fail(const std::string& what) const {
        throw Error(who + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " + what);
    }
};

struct Row {
    std::vector<PatternStitch> stitches;
    Repeat repeat;
    bool repeats = false;
    int line = 0;
};

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool isYarn(char c) { return c >= 'A' && c <= 'Z'; }

// A crossing: '>' and '}' are carried to the right, '<' and '{' to the left; '>' passes in front of '<', and '{' in
// front of '}'. `signs` is one run; it must be a complete crossing: some to the right, then some to the left.
void cross(const std::string& signs, const std::string& opposite, size_t begin, Row& row, const Place& place) {
    const auto right = static_cast<int>(signs.find_first_of(opposite));
    const auto count = static_cast<int>(signs.size());
    if (count > kMaxCrossing) place.fail("a crossing has at most " + std::to_string(kMaxCrossing) + " stitches");
    if (right < 1) place.fail("a crossing needs stitches to the right (>> or }}) and then to the left (<< or {{)");
    for (int k = 0; k < count; ++k) {
        PatternStitch& stitch = row.stitches[begin + static_cast<size_t>(k)];
        stitch.kind = StitchKind::cable;
        stitch.shift = k < right ? count - right : -right;
        stitch.inFront = signs[k] == '>' || signs[k] == '{';
        stitch.groupBegin = -k;
        stitch.groupEnd = count - k;
    }
}

// A crossing ends where its run of stitches to the left ends.
void takeCrossings(const std::vector<char>& symbols, const std::vector<int>& columns, Row& row, Place place) {
    for (size_t i = 0; i < symbols.size();) {
        if (!std::strchr("<>{}", symbols[i])) {
            ++i;
            continue;
        }
        const bool angular = symbols[i] == '<' || symbols[i] == '>';
        const char right = angular ? '>' : '}', left = angular ? '<' : '{';
        const size_t begin = i;
        while (i < symbols.size() && symbols[i] == right) ++i;
        if (i > begin)
            while (i < symbols.size() && symbols[i] == left) ++i;
        place.column = columns[begin];
        std::string signs(symbols.begin() + static_cast<std::ptrdiff_t>(begin),
                          symbols.begin() + static_cast<std::ptrdiff_t>(std::max(i, begin + 1)));
        cross(signs, std::string(1, left), begin, row, place);
    }
}

// At most `room` stitches.
Row parseRow(const std::string& line, size_t from, int yarn, int64_t room, Place place) {
    Row row;
    row.line = place.line;
    std::vector<char> symbols;
    std::vector<int> columns;
    bool ended = false;
    for (size_t i = from; i < line.size() && line[i] != '#'; ++i) {
        const char c = line[i];
        place.column = static_cast<int>(i) + 1;
        if (isBlank(c)) continue;
        const auto count = static_cast<int>(row.stitches.size());
        if (c == '[') {
            if (row.repeats) place.fail("a row can have only one repeat, [ … ]");
            row.repeats = true;
            row.repeat = {count, count};
            continue;
        }
        if (c == ']') {
            if (!row.repeats || ended) place.fail("] without a [ before it");
            ended = true;
            row.repeat.end = count;
            if (row.repeat.end == row.repeat.begin) place.fail("there is nothing between [ and ]");
            continue;
        }
        PatternStitch stitch;
        stitch.yarn = yarn;
        bool known = std::strchr("<>{}", c) != nullptr;
        if (isYarn(c)) {
            stitch.yarn = c - 'A';
            known = true;
        }
        for (int kind = 0; kind < stitches().count && !known; ++kind)
            if (stitches()[kind].symbol == c) {
                stitch.kind = static_cast<StitchKind>(kind);
                known = true;
            }
        if (!known) place.fail(std::string("\"") + c + "\" is not a stitch; use k p s t o / \\ > < } { or A to Z");
        if (count >= room) place.fail("the chart has more than " + std::to_string(kMaxPatternStitches) + " stitches");
        row.stitches.push_back(stitch);
        symbols.push_back(c);
        columns.push_back(place.column);
    }
    if (row.repeats && !ended) place.fail("[ without a ] after it");
    if (!row.repeats) row.repeat = {0, static_cast<int>(row.stitches.size())};
    takeCrossings(symbols, columns, row, place);
    return row;
}

// "B = 0.9 0.2 0.1"
Vec3 parseColor(const std::string& line, size_t from, Place place) {
    Vec3 color;
    const char *at = line.data() + from, *end = line.data() + line.size();
    for (int k = 0; k < 3; ++k) {
        while (at < end && isBlank(*at)) ++at;
        place.column = static_cast<int>(at - line.data()) + 1;
        const auto [next, error] = std::from_chars(at, end, color[k]);
        if (error != std::errc() || !(color[k] >= 0 && color[k] <= 1))
            place.fail("a colour is three numbers from 0 to 1");
        at = next;
    }
    return color;
}

}  // namespace

Pattern parseChart(const std::string& text, const std::string& who) {
    Pattern pattern;
    std::vector<Row> rows;   // from the top
    std::vector<int> rules;  // number of rows above each line of ---
    Place place{who, 0, 1};
    int64_t room = kMaxPatternStitches;
    const auto addRow = [&](const std::string& line, size_t from, int yarn) {
        rows.push_back(parseRow(line, from, yarn, room, place));
        room -= static_cast<int64_t>(rows.back().stitches.size());
    };
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(at, end - at);
        at = end + 1;
        ++place.line;
        size_t first = line.find_first_not_of(" \t\r");
        if (first == std::string::npos || line[first] == '#') continue;
        place.column = static_cast<int>(first) + 1;
        const size_t second = line.find_first_not_of(" \t", first + 1);
        const char sign = second == std::string::npos ? '\0' : line[second];
        if (line.compare(first, 3, "---") == 0) {
            if (rules.size() == 2) place.fail("--- may only be above and below the rows that repeat");
            rules.push_back(static_cast<int>(rows.size()));
        } else if (isYarn(line[first]) && sign == '=') {
            const auto yarn = static_cast<size_t>(line[first] - 'A');
            if (pattern.colors.size() <= yarn) pattern.colors.resize(yarn + 1);
            pattern.colors[yarn] = parseColor(line, second + 1, place);
        } else if (isYarn(line[first]) && sign == ':') {
            addRow(line, second + 1, line[first] - 'A');
        } else {
            addRow(line, first, 0);
        }
    }
    if (rows.empty()) throw Error(who + ": the chart has no rows; a row is letters like k p k p");
    if (rules.size() == 1) throw Error(who + ": one --- is missing; put them above and below the rows that repeat");
    const Row& like = rows[0];
    const auto columns = static_cast<int>(like.stitches.size()), count = static_cast<int>(rows.size());
    for (const Row& row : rows) {
        const Place begin{who, row.line, 1};
        if (static_cast<int>(row.stitches.size()) != columns)
            begin.fail("has " + std::to_string(row.stitches.size()) + " stitches where the row of line " +
                       std::to_string(like.line) + " has " + std::to_string(columns));
        if (row.repeat.begin != like.repeat.begin || row.repeat.end != like.repeat.end)
            begin.fail("[ and ] are not where they are in line " + std::to_string(like.line));
    }
    if (columns == 0) throw Error(who + ": the chart has no stitches");
    pattern.columns = columns;
    pattern.rows = count;
    pattern.acrossColumns = like.repeat;
    pattern.acrossRows = rules.empty() ? Repeat{0, count} : Repeat{count - rules[1], count - rules[0]};
    if (pattern.acrossRows.begin == pattern.acrossRows.end)
        throw Error(who + ": there are no rows between --- and ---");
    for (auto row = rows.rbegin(); row != rows.rend(); ++row)
        pattern.stitches.insert(pattern.stitches.end(), row->stitches.begin(), row->stitches.end());
    return pattern;
}

}  // namespace purl
