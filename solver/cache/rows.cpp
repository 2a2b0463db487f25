#include "solver/cache/rows.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "solver/cache/bigEndian.h"

namespace purl {
namespace {

template <ByteOrder order, class Number>
void put(char* to, Number number) {
    using Word = std::conditional_t<sizeof(Number) == 8, uint64_t, uint32_t>;
    Word word;
    std::memcpy(&word, &number, sizeof word);
    if (order == ByteOrder::big) word = swapped(word);
    std::memcpy(to, &word, sizeof word);
}

template <ByteOrder order, size_t words>
void putWords(const Column& column, size_t stride, size_t begin, size_t end, char* to) {
    const auto* from = static_cast<const uint32_t*>(column.data) + (column.constant ? 0 : words * begin);
    const size_t step = column.constant ? 0 : words;
    for (size_t i = begin; i < end; ++i, from += step, to += stride)
        for (size_t k = 0; k < words; ++k) put<order>(to + 4 * k, from[k]);
}

template <ByteOrder order, class Number>
void putNarrowed(const Column& column, size_t stride, size_t begin, size_t end, char* to) {
    const auto* from = static_cast<const int64_t*>(column.data);
    for (size_t i = begin; i < end; ++i, to += stride) put<order>(to, static_cast<Number>(from[i]));
}

template <ByteOrder order>
void putColumn(const Column& column, size_t stride, size_t begin, size_t end, char* to) {
    switch (column.as) {
        case Column::As::words:
            if (column.words == 3)
                putWords<order, 3>(column, stride, begin, end, to);
            else
                putWords<order, 1>(column, stride, begin, end, to);
            break;
        case Column::As::int32: putNarrowed<order, int32_t>(column, stride, begin, end, to); break;
        case Column::As::float64: putNarrowed<order, double>(column, stride, begin, end, to); break;
    }
}

}  // namespace

size_t rowBytes(const std::vector<Column>& columns) {
    size_t bytes = 0;
    for (const Column& column : columns) bytes += column.bytes();
    return bytes;
}

void putRows(const std::vector<Column>& columns, ByteOrder order, size_t begin, size_t end, char* to) {
    const size_t stride = rowBytes(columns);
    // Column by column, in blocks of rows that fit into the L1 cache.
    constexpr size_t kRows = 128;
    for (size_t first = begin; first < end; first += kRows, to += kRows * stride) {
        const size_t last = std::min(end, first + kRows);
        char* at = to;
        for (const Column& column : columns) {
            if (order == ByteOrder::big)
                putColumn<ByteOrder::big>(column, stride, first, last, at);
            else
                putColumn<ByteOrder::little>(column, stride, first, last, at);
            at += column.bytes();
        }
    }
}

}  // namespace purl
