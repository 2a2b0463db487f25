// A 64-bit hash of bytes, used to verify that two runs gave the same bits. Not cryptographic.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace purl {

class Hash {
  public:
    // Consumes eight bytes at a time. The length is hashed too, so that "ab" + "c" differs from "a" + "bc".
    void addBytes(const void* data, size_t size) {
        const auto* bytes = static_cast<const unsigned char*>(data);
        addWord(size);
        for (; size >= 8; bytes += 8, size -= 8) {
            uint64_t word;
            std::memcpy(&word, bytes, 8);
            addWord(word);
        }
        if (size) {
            uint64_t word = 0;
            std::memcpy(&word, bytes, size);
            addWord(word);
        }
    }

    template <class T>
    void add(const T& value) {
        static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>, "hash the fields: a struct may hold padding");
        uint64_t word = 0;
        std::memcpy(&word, &value, sizeof(T) < 8 ? sizeof(T) : 8);
        addWord(word);
    }
    void add(const std::string& text) { addBytes(text.data(), text.size()); }
    template <class T>
    void add(const std::vector<T>& values) {
        addBytes(values.data(), values.size() * sizeof(T));
    }

    uint64_t value() const { return finish(state_); }

  private:
    // splitmix64's finaliser (Steele, Lea, Flood 2014): every input bit reaches every output bit.
    static uint64_t finish(uint64_t z) {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    void addWord(uint64_t word) { state_ = finish(state_ ^ word) + 0x9e3779b97f4a7c15ull; }

    uint64_t state_ = 0x5075726c5075726cull;  // "PurlPurl"
};

// Sixteen hexadecimal digits, the printed form of a frame hash.
std::string toHex(uint64_t hash);
// Inverse of toHex; throws Error on anything but hexadecimal digits.
uint64_t fromHex(const std::string& digits);

}  // namespace purl
