// Locale-independent number formatting: the shortest text that round-trips exactly.
#pragma once
#include <charconv>
#include <string>

namespace purl {

template <class T>
void putNumber(std::string& out, T value) {
    char text[32];
    out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

}  // namespace purl
