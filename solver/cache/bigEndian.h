// Big-endian numbers, as in nCache and bgeo files.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace purl {

// Reverses the bytes; compiles to one instruction.
template <class Word>
Word swapped(Word word) {
    Word turned = 0;
    for (size_t i = 0; i < sizeof(Word); ++i) turned = static_cast<Word>(turned << 8 | (word >> (8 * i) & 0xff));
    return turned;
}

// Converts `count` 32-bit words between native and big-endian order.
inline void swapWords(char* to, const void* from, size_t count) {
    const char* source = static_cast<const char*>(from);
    for (size_t i = 0; i < count; ++i) {
        uint32_t word;
        std::memcpy(&word, source + 4 * i, 4);
        word = swapped(word);
        std::memcpy(to + 4 * i, &word, 4);
    }
}

// Writes numberAt(begin) … numberAt(end − 1), converted to `Number`, in big-endian order.
template <class Number, class NumberAt>
void putNumbers(char* to, size_t begin, size_t end, const NumberAt& numberAt) {
    using Word = std::conditional_t<sizeof(Number) == 8, uint64_t, uint32_t>;
    for (size_t i = begin; i < end; ++i, to += sizeof(Word)) {
        const auto number = static_cast<Number>(numberAt(i));
        Word word;
        std::memcpy(&word, &number, sizeof word);
        word = swapped(word);
        std::memcpy(to, &word, sizeof word);
    }
}

inline void putBigEndian(std::string& out, uint64_t value, size_t bytes) {
    for (size_t i = bytes; i-- > 0;) out.push_back(static_cast<char>(value >> (8 * i) & 0xff));
}
inline uint64_t takeBigEndian(const char* at, size_t bytes) {
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; ++i) value = value << 8 | static_cast<unsigned char>(at[i]);
    return value;
}

}  // namespace purl
