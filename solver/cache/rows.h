// Interleaved rows, one element's attributes side by side, as in PLY and bgeo.
#pragma once
#include <cstddef>
#include <vector>

namespace purl {

enum class ByteOrder { little, big };

// One attribute's column in a row.
struct Column {
    enum class As { words, int32, float64 };  // 32-bit words unchanged; 64-bit integers narrowed

    const void* data = nullptr;
    size_t words = 1;  // values per element
    As as = As::words;
    bool constant = false;  // every row repeats the first element

    size_t bytes() const { return words * (as == As::float64 ? 8 : 4); }
};

size_t rowBytes(const std::vector<Column>& columns);
// Encodes rows begin … end − 1.
void putRows(const std::vector<Column>& columns, ByteOrder order, size_t begin, size_t end, char* to);

}  // namespace purl
