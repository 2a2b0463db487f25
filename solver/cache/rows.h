// Rows of numbers, an element's attributes side by side, as PLY and bgeo keep them.
#pragma once
#include <cstddef>
#include <vector>

namespace purl {

enum class ByteOrder { little, big };

// One attribute's place in a row.
struct Column {
    enum class As { words, int32, float64 };  // four bytes each as they are; whole numbers of 64 bits made less

    const void* data = nullptr;
    size_t words = 1;  // numbers an element
    As as = As::words;
    bool constant = false;  // every row has the first element

    size_t bytes() const { return words * (as == As::float64 ? 8 : 4); }
};

size_t rowBytes(const std::vector<Column>& columns);
// Rows begin … end − 1, one behind the other.
void putRows(const std::vector<Column>& columns, ByteOrder order, size_t begin, size_t end, char* to);

}  // namespace purl
