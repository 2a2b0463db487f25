// Lists of values at points, one after another in one array.
#pragma once
#include <cstddef>
#include <vector>

#include "solver/core/buffer.h"

namespace purl {

template <class T>
struct PointLists {
    std::vector<int> starts;  // of each point's values, and the end of the last one's
    std::vector<T> values;

    Span<const T> of(int point) const {
        return {values.data() + starts[static_cast<size_t>(point)],
                starts[static_cast<size_t>(point) + 1] - starts[static_cast<size_t>(point)]};
    }
};

// `visit(add)` calls add(point, value) for each value, twice in the same order: once to count them.
template <class T, class Visit>
PointLists<T> listByPoint(int points, const Visit& visit) {
    PointLists<T> lists;
    lists.starts.assign(static_cast<size_t>(points) + 1, 0);
    visit([&](int point, const T&) { ++lists.starts[static_cast<size_t>(point) + 1]; });
    for (size_t p = 0; p < static_cast<size_t>(points); ++p) lists.starts[p + 1] += lists.starts[p];
    lists.values.resize(static_cast<size_t>(lists.starts.back()));
    std::vector<int> next(lists.starts.begin(), lists.starts.end() - 1);
    visit([&](int point, const T& value) {
        lists.values[static_cast<size_t>(next[static_cast<size_t>(point)]++)] = value;
    });
    return lists;
}

}  // namespace purl
