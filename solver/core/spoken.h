// Names as people read them: "Wall repulsion" for "wallRepulsion", "PBF iterations" for "pbfIterations".
#pragma once
#include <cctype>
#include <cstddef>
#include <string>

namespace purl {

// How many letters of a name are the initials of a method at its beginning.
inline size_t initialsOf(const std::string& camelCase) {
    size_t count = 0;
    for (const char* initials : {"wcsph", "dfsph", "xsph", "pbf", "xpbd", "cfl", "dem"}) {
        const size_t length = std::char_traits<char>::length(initials);
        const bool whole = camelCase.size() == length ||
                           (camelCase.size() > length && std::isupper(static_cast<unsigned char>(camelCase[length])));
        if (camelCase.compare(0, length, initials) == 0 && whole) count = length;
    }
    return count;
}

// Each word with a capital, as Maya writes names, or only the first.
enum class Capitals { first, all };

inline std::string spoken(const std::string& camelCase, Capitals capitals = Capitals::first) {
    std::string text;
    const size_t initials = initialsOf(camelCase);
    for (const char c : camelCase) {
        const auto letter = static_cast<unsigned char>(c);
        const bool begins = text.empty() || std::isupper(letter);
        if (!text.empty() && begins) text += ' ';
        const bool capital = text.empty() || text.size() < initials || (begins && capitals == Capitals::all);
        text += static_cast<char>(capital ? std::toupper(letter) : std::tolower(letter));
    }
    return text;
}

}  // namespace purl
