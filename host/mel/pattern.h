// The regular expressions of MEL's match and substitute, as its manual lists them: . * + ^ $ \ [a-z] [^a-z] and ( ).
// Time grows with pattern times text, and neither takes stack.
#pragma once
#include <cstddef>
#include <string>

namespace purl::host::mel {

constexpr std::size_t kMaxPatternBytes = 1000;

struct Match {
    bool found = false;
    std::size_t begin = 0, end = 0;  // bytes of the text, end excluded
};

// The first place that matches, and of those that begin there the one that * and + take the most for. Throws Error
// where the pattern is none.
Match search(const std::string& pattern, const std::string& text);

}  // namespace purl::host::mel
