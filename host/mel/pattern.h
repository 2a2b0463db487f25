// The regular expressions of MEL's match and substitute, as documented: . * + ^ $ \ [a-z] [^a-z] and ( ). Time is
// O(pattern · text), without recursion.
#pragma once
#include <cstddef>
#include <string>

namespace purl::host::mel {

constexpr std::size_t kMaxPatternBytes = 1000;

struct Match {
    bool found = false;
    std::size_t begin = 0, end = 0;  // byte range in the text, end exclusive
};

// The leftmost match, with greedy * and +. Throws Error for an invalid pattern.
Match search(const std::string& pattern, const std::string& text);

}  // namespace purl::host::mel
