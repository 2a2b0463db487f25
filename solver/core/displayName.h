// Labels for the user interface: "Wall repulsion" for "wallRepulsion", "PBF iterations" for "pbfIterations".
#pragma once
#include <cctype>
#include <cstddef>
#include <string>

namespace purl {

// Length of a method's acronym at the beginning of the name, 0 if there is none.
inline size_t acronymLength(const std::string& camelCase) {
    size_t count = 0;
    for (const char* initials : {"wcsph", "dfsph", "xsph", "pbf", "xpbd", "cfl", "dem"}) {
        const size_t length = std::char_traits<char>::length(initials);
        const bool complete =
            camelCase.size() == length ||
            (camelCase.size() > length && std::isupper(static_cast<unsigned char>(camelCase[length])));
        if (camelCase.compare(0, length, initials) == 0 && complete) count = length;
    }
    return count;
}

// Capitalize only the first word, or all words as Maya does.
enum class Capitals { first, all };

inline std::string displayName(const std::string& camelCase, Capitals capitals = Capitals::first) {
    std::string text;
    const size_t initials = acronymLength(camelCase);
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
