#include "solver/cloth/colors.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <tuple>

namespace purl {
namespace {

// An element by where its first point lies and how far from there the others do.
struct Placed {
    int first;
    std::array<int, 3> offsets;
    int element;

    bool sameShape(const Placed& other) const { return offsets == other.offsets; }
    bool operator<(const Placed& other) const {
        return std::tie(offsets, first, element) < std::tie(other.offsets, other.first, other.element);
    }
    // Whether eight of them side by side would have a point in common.
    bool wouldMeet() const {
        const int at[] = {0, offsets[0], offsets[1], offsets[2]};
        for (const int p : at)
            for (const int q : at)
                if (p != q && std::abs(p - q) < kRun) return true;
        return false;
    }
};

// A run of eight elements, or one.
struct Group {
    int color, first;  // first: place of its first point in its layer
    std::vector<int> elements;
};

// Gives each group the first colour that none of its points has met yet.
class Palette {
  public:
    explicit Palette(size_t points) : met_(points) {}

    int choose(const std::vector<int>& group, const std::vector<ElementPoints>& elements) {
        uint64_t taken = 0;
        for (const int e : group)
            for (const int v : elements[static_cast<size_t>(e)]) taken |= met_[static_cast<size_t>(v)];
        int color = 0;
        while (color < 64 && taken >> color & 1) ++color;
        if (color == 64) return 64 + spilled_++;  // what finds none of 64 free gets one of its own
        for (const int e : group)
            for (const int v : elements[static_cast<size_t>(e)]) met_[static_cast<size_t>(v)] |= uint64_t(1) << color;
        return color;
    }

  private:
    std::vector<uint64_t> met_;
    int spilled_ = 0;
};

std::vector<Placed> placed(const std::vector<ElementPoints>& elements, const std::vector<int>& places) {
    std::vector<Placed> result;
    for (size_t e = 0; e < elements.size(); ++e) {
        const auto at = [&](size_t k) { return places[static_cast<size_t>(elements[e][k])]; };
        result.push_back({at(0), {at(1) - at(0), at(2) - at(0), at(3) - at(0)}, static_cast<int>(e)});
    }
    std::sort(result.begin(), result.end());
    return result;
}

}  // namespace

void Colors::append(const Colors& more) {
    const int end = starts.back();
    for (int c = 0; c < more.count(); ++c) {
        starts.push_back(end + more.starts[static_cast<size_t>(c) + 1]);
        runEnds.push_back(end + more.runEnds[static_cast<size_t>(c)]);
    }
}

int Colors::inRuns() const {
    int sum = 0;
    for (size_t c = 0; c < runEnds.size(); ++c) sum += runEnds[c] - starts[c];
    return sum;
}

std::vector<int> rowPlaces(const std::vector<bool>& joined) {
    constexpr size_t kApart = 4;  // of folds' points in a row no two are so far apart
    std::vector<int> places(joined.size());
    for (size_t begin = 0, end; begin < joined.size(); begin = end) {
        end = begin + 1;
        while (end < joined.size() && joined[end - 1]) ++end;
        const size_t step = end - begin >= kApart * kRun ? kApart : 1;
        int next = static_cast<int>(begin);
        for (size_t k = 0; k < step; ++k)
            for (size_t i = begin + k; i < end; i += step) places[i] = next++;
    }
    return places;
}

Colored colored(const std::vector<ElementPoints>& elements, const std::vector<int>& places, int ofLayer) {
    const std::vector<Placed> row = placed(elements, places);
    Palette palette(places.size());
    std::vector<Group> groups;
    std::vector<bool> inRun(elements.size());
    for (size_t begin = 0, end; begin < row.size(); begin = end) {
        end = begin + 1;
        while (end < row.size() && end - begin < kRun && row[end].sameShape(row[begin]) &&
               row[end].first == row[end - 1].first + 1)
            ++end;
        if (end - begin < kRun || row[begin].wouldMeet()) continue;
        Group run{0, row[begin].first % ofLayer, {}};
        for (size_t k = begin; k < end; ++k) {
            run.elements.push_back(row[k].element);
            inRun[static_cast<size_t>(row[k].element)] = true;
        }
        run.color = palette.choose(run.elements, elements);
        groups.push_back(std::move(run));
    }
    for (size_t e = 0; e < elements.size(); ++e) {
        if (inRun[e]) continue;
        const int first = *std::min_element(elements[e].begin(), elements[e].end());
        Group one{0, places[static_cast<size_t>(first)] % ofLayer, {static_cast<int>(e)}};
        one.color = palette.choose(one.elements, elements);
        groups.push_back(std::move(one));
    }
    // By colour, runs first, and then as memory is gone through.
    std::stable_sort(groups.begin(), groups.end(), [](const Group& p, const Group& q) {
        const bool pAlone = p.elements.size() == 1, qAlone = q.elements.size() == 1;
        return std::tie(p.color, pAlone, p.first) < std::tie(q.color, qAlone, q.first);
    });
    Colored result;
    for (const Group& group : groups) {
        Colors& colors = result.colors;
        while (colors.count() <= group.color) {
            colors.starts.push_back(colors.starts.back());
            colors.runEnds.push_back(colors.starts.back());
        }
        const auto size = static_cast<int>(group.elements.size());
        colors.starts.back() += size;
        if (size == kRun) colors.runEnds.back() += size;
        result.order.insert(result.order.end(), group.elements.begin(), group.elements.end());
    }
    return result;
}

}  // namespace purl
