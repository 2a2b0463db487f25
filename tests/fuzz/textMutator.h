// Changes text by whole statements or lines, and numbers within them, so that most of it still gets past the lexer.
#pragma once
#include "tests/fuzz/fuzz.h"

namespace purl {

// Pieces that each end with `end`; the last one may not.
inline std::vector<Bytes> piecesOf(const Bytes& text, char end) {
    std::vector<Bytes> pieces;
    for (size_t begin = 0; begin < text.size();) {
        const size_t at = text.find(end, begin);
        const size_t next = at == Bytes::npos ? text.size() : at + 1;
        pieces.push_back(text.substr(begin, next - begin));
        begin = next;
    }
    return pieces;
}

inline bool isDigit(char c) { return c >= '0' && c <= '9'; }
inline bool isWordPart(char c) { return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.'; }

// Where a run of characters of one kind begins and ends, one of all there are; both 0: none.
template <class IsPart>
std::pair<size_t, size_t> randomRun(const Bytes& text, const IsPart& isPart, Random& random) {
    std::vector<std::pair<size_t, size_t>> runs;
    for (size_t i = 0; i < text.size(); ++i) {
        if (!isPart(text[i])) continue;
        const size_t begin = i;
        while (i < text.size() && isPart(text[i])) ++i;
        runs.emplace_back(begin, i);
    }
    return runs.empty() ? std::pair<size_t, size_t>() : runs[pick(random, runs.size())];
}

inline void mutateNumber(Bytes& piece, Random& random) {
    static const char* const kNumbers[] = {"0",
                                           "-1",
                                           "1",
                                           "2147483647",
                                           "-2147483648",
                                           "4294967295",
                                           "1e30",
                                           "-1e30",
                                           "1e300",
                                           "1e-300",
                                           "1e999",
                                           "nan",
                                           "inf",
                                           "0.5",
                                           "99999999999999999999",
                                           "9007199254740993",
                                           "65536",
                                           "100000000"};
    const auto [begin, end] = randomRun(piece, isDigit, random);
    if (end) piece.replace(begin, end - begin, kNumbers[pick(random, std::size(kNumbers))]);
}

// A word of one piece takes the place of a word of another.
inline void mutateWord(Bytes& piece, const Bytes& other, Random& random) {
    const auto [begin, end] = randomRun(piece, isWordPart, random);
    const auto [from, to] = randomRun(other, isWordPart, random);
    if (end && to) piece.replace(begin, end - begin, other.substr(from, to - from));
}

template <char end>
void mutateText(Bytes& text, size_t limit, Random& random) {
    std::vector<Bytes> pieces = piecesOf(text, end);
    if (pieces.empty()) return mutateBytes(text, limit);
    for (size_t times = 1 + pick(random, 3); times > 0 && !pieces.empty(); --times) {
        const size_t one = pick(random, pieces.size()), other = pick(random, pieces.size());
        const auto at = pieces.begin() + static_cast<ptrdiff_t>(one);
        switch (pick(random, 8)) {
            case 0: pieces.erase(at); break;
            case 1: pieces.insert(at, Bytes(pieces[other])); break;
            case 2: pieces.insert(at, 1 + pick(random, 40), Bytes(pieces[other])); break;
            case 3: std::swap(pieces[one], pieces[other]); break;
            case 4: mutateWord(pieces[one], Bytes(pieces[other]), random); break;
            case 5: mutateBytes(pieces[one], pieces[one].size() + 16); break;
            default: mutateNumber(pieces[one], random);
        }
    }
    text.clear();
    for (const Bytes& piece : pieces) text += piece;
}

}  // namespace purl
