#include "solver/cloth/colors.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <tuple>

#include "solver/core/buffer.h"

namespace purl {
namespace {

// An element by the slot of its first point and the offsets of the others.
struct SlottedElement {
    int first;
    std::array<int, 3> offsets;
    int element;

    bool sameShape(const SlottedElement& other) const { return offsets == other.offsets; }
    bool operator<(const SlottedElement& other) const {
        // By hand: std::tie would compare every array twice, and set-up spends much of its time here.
        for (size_t k = 0; k < offsets.size(); ++k)
            if (offsets[k] != other.offsets[k]) return offsets[k] < other.offsets[k];
        return first != other.first ? first < other.first : element < other.element;
    }
    // Whether any of eight such elements in consecutive slots would share a point.
    bool runSharesPoints() const {
        const int at[] = {0, offsets[0], offsets[1], offsets[2]};
        for (const int p : at)
            for (const int q : at)
                if (p != q && std::abs(p - q) < kRunLength) return true;
        return false;
    }
};

// A run of eight elements, or a single one.
struct Group {
    int color, strip, first;  // first: slot of its first point within the layer
    int begin, count;         // of its elements in the list of all groups'
};

// Greedy colouring: each group gets the first colour that none of its points uses.
class Palette {
  public:
    explicit Palette(size_t points) : usedColors_(points) {}

    int choose(Span<const int> group, const std::vector<ElementPoints>& elements) {
        uint64_t taken = 0;
        for (const int e : group)
            for (const int v : elements[e]) taken |= usedColors_[v];
        int color = 0;
        while (color < 64 && taken >> color & 1) ++color;
        if (color == 64) return 64 + extraColors_++;  // all 64 taken: a colour for this group alone
        for (const int e : group)
            for (const int v : elements[e]) usedColors_[v] |= uint64_t(1) << color;
        return color;
    }

  private:
    std::vector<uint64_t> usedColors_;
    int extraColors_ = 0;
};

std::vector<SlottedElement> slottedElements(const std::vector<ElementPoints>& elements, const std::vector<int>& slots) {
    std::vector<SlottedElement> result;
    result.reserve(elements.size());
    for (size_t e = 0; e < elements.size(); ++e) {
        const auto at = [&](size_t k) { return slots[elements[e][k]]; };
        result.push_back({at(0), {at(1) - at(0), at(2) - at(0), at(3) - at(0)}, static_cast<int>(e)});
    }
    std::sort(result.begin(), result.end());
    return result;
}

// Adjacency of the rows of a layer: rows are adjacent if an element joins them.
class RowGraph {
  public:
    RowGraph(const std::vector<ElementPoints>& elements, const std::vector<bool>& joined, int pointsPerLayer)
        : rowOf_(static_cast<size_t>(pointsPerLayer)) {
        for (size_t i = 0; i < rowOf_.size(); ++i) {
            if (i == 0 || !joined[i - 1]) lengths_.push_back(0);
            rowOf_[i] = static_cast<int>(lengths_.size()) - 1;
            ++lengths_.back();
        }
        neighbors_.resize(lengths_.size());
        for (const ElementPoints& element : elements) {
            const int rows[] = {row(element[0]), row(element[1]), row(element[2]), row(element[3])};
            for (const int a : rows)
                for (const int b : rows)
                    if (a != b) addNeighbor(neighbors_[a], b);
        }
        for (std::vector<int>& rows : neighbors_) {
            std::sort(rows.begin(), rows.end());
            rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
        }
    }

    int row(int point) const { return rowOf_[static_cast<size_t>(point) % rowOf_.size()]; }

    // Breadth-first levels of rows, started from a peripheral row; components one after another. Adjacent rows are in
    // the same level or in consecutive ones.
    std::vector<std::vector<int>> levels() const {
        std::vector<std::vector<int>> all;
        std::vector<bool> seen(neighbors_.size());
        for (size_t r = 0; r < neighbors_.size(); ++r) {
            if (seen[r]) continue;
            std::vector<bool> seenByProbe = seen;
            const int end = levelsFrom(static_cast<int>(r), seenByProbe).back().front();
            for (std::vector<int>& level : levelsFrom(end, seen)) all.push_back(std::move(level));
        }
        return all;
    }

    int points(const std::vector<int>& level) const {
        int sum = 0;
        for (const int r : level) sum += lengths_[r];
        return sum;
    }

  private:
    // Most elements join the same two rows as the last ones did.
    static void addNeighbor(std::vector<int>& rows, int row) {
        for (size_t k = 1; k <= 4 && k <= rows.size(); ++k)
            if (rows[rows.size() - k] == row) return;
        rows.push_back(row);
    }

    std::vector<std::vector<int>> levelsFrom(int first, std::vector<bool>& seen) const {
        std::vector<std::vector<int>> levels{{first}};
        seen[first] = true;
        for (;;) {
            std::vector<int> level;
            for (const int r : levels.back())
                for (const int other : neighbors_[r]) {
                    if (seen[other]) continue;
                    seen[other] = true;
                    level.push_back(other);
                }
            if (level.empty()) return levels;
            levels.push_back(std::move(level));
        }
    }

    std::vector<int> rowOf_, lengths_;
    std::vector<std::vector<int>> neighbors_;
};

}  // namespace

Strips makeStrips(const std::vector<ElementPoints>& elements, const std::vector<bool>& joined, int pointsPerLayer) {
    // Smaller strips are not worth their overhead; with a single level, elements that cross the two cuts could share
    // points.
    constexpr int kMinPointsPerStrip = 512, kMinLevelsPerStrip = 2;
    const RowGraph rows(elements, joined, pointsPerLayer);
    const std::vector<std::vector<int>> levels = rows.levels();
    const int layers = static_cast<int>(joined.size()) / pointsPerLayer;
    std::vector<int> stripOfRow(joined.size());
    int strip = 0, count = 0, points = 0;  // levels and points in the current strip
    for (const std::vector<int>& level : levels) {
        if (count >= kMinLevelsPerStrip && points >= kMinPointsPerStrip) {
            ++strip;
            count = points = 0;
        }
        ++count;
        points += layers * rows.points(level);
        for (const int r : level) stripOfRow[r] = strip;
    }
    // Merge a small remainder into the previous strip.
    const bool tooFew = strip > 0 && (count < kMinLevelsPerStrip || points < kMinPointsPerStrip);
    Strips strips{strip + (tooFew ? 0 : 1), {}};
    for (int i = 0; i < static_cast<int>(joined.size()); ++i)
        strips.stripOf.push_back(std::min(stripOfRow[rows.row(i)], strips.count - 1));
    return strips;
}

void Colors::append(const Colors& more) {
    const int end = starts.back();
    for (size_t cell = 0; cell < more.runEnds.size(); ++cell) {
        starts.push_back(end + more.starts[cell + 1]);
        runEnds.push_back(end + more.runEnds[cell]);
    }
}

int Colors::inRuns() const {
    int sum = 0;
    for (size_t c = 0; c < runEnds.size(); ++c) sum += runEnds[c] - starts[c];
    return sum;
}

std::vector<int> rowSlots(const std::vector<bool>& joined) {
    constexpr size_t kStride = 4;  // more than the index distance of fold points in a row
    std::vector<int> slots(joined.size());
    for (size_t begin = 0, end; begin < joined.size(); begin = end) {
        end = begin + 1;
        while (end < joined.size() && joined[end - 1]) ++end;
        const size_t step = end - begin >= kStride * kRunLength ? kStride : 1;
        int next = static_cast<int>(begin);
        for (size_t k = 0; k < step; ++k)
            for (size_t i = begin + k; i < end; i += step) slots[i] = next++;
    }
    return slots;
}

ColoredElements colorElements(const std::vector<ElementPoints>& elements, const std::vector<int>& strip, int strips,
                              const std::vector<int>& slots, int pointsPerLayer) {
    const auto stripOf = [&](int element) { return strip[element]; };
    const std::vector<SlottedElement> row = slottedElements(elements, slots);
    Palette palette(slots.size());
    std::vector<Group> groups;
    std::vector<int> members;  // of the groups
    members.reserve(elements.size());
    std::vector<bool> inRun(elements.size());
    const auto addGroup = [&](int strip, int first, int count) {
        const int begin = static_cast<int>(members.size()) - count;
        groups.push_back({palette.choose({members.data() + begin, count}, elements), strip, first, begin, count});
    };
    for (size_t begin = 0, end; begin < row.size(); begin = end) {
        end = begin + 1;
        while (end < row.size() && end - begin < kRunLength && row[end].sameShape(row[begin]) &&
               row[end].first == row[end - 1].first + 1 && stripOf(row[end].element) == stripOf(row[begin].element))
            ++end;
        if (end - begin < kRunLength || row[begin].runSharesPoints()) continue;
        for (size_t k = begin; k < end; ++k) {
            members.push_back(row[k].element);
            inRun[row[k].element] = true;
        }
        addGroup(stripOf(row[begin].element), row[begin].first % pointsPerLayer, kRunLength);
    }
    for (size_t e = 0; e < elements.size(); ++e) {
        if (inRun[e]) continue;
        const int first = *std::min_element(elements[e].begin(), elements[e].end());
        members.push_back(static_cast<int>(e));
        addGroup(strip[e], slots[first] % pointsPerLayer, 1);
    }
    // By colour and strip, runs first, then in memory order.
    std::stable_sort(groups.begin(), groups.end(), [](const Group& p, const Group& q) {
        const bool pAlone = p.count == 1, qAlone = q.count == 1;
        return std::tie(p.color, p.strip, pAlone, p.first) < std::tie(q.color, q.strip, qAlone, q.first);
    });
    ColoredElements result;
    Colors& colors = result.colors;
    colors.strips = strips;
    const auto openCells = [&](int cells) {
        while (static_cast<int>(colors.runEnds.size()) < cells) {
            colors.runEnds.push_back(colors.starts.back());
            colors.starts.push_back(colors.starts.back());
        }
    };
    for (const Group& group : groups) {
        openCells(group.color * strips + group.strip + 1);
        colors.starts.back() += group.count;
        if (group.count == kRunLength) colors.runEnds.back() += group.count;
        const auto first = members.begin() + group.begin;
        result.order.insert(result.order.end(), first, first + group.count);
    }
    if (!groups.empty()) openCells((groups.back().color + 1) * strips);
    return result;
}

}  // namespace purl
