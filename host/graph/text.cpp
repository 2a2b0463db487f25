#include "host/graph/text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace purl::host {

std::string shortest(double x) {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, x);
    return std::string(text, end.ptr);
}

std::string shortest(float x) {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, x);
    return std::string(text, end.ptr);
}

std::string withDigits(double x, int digits) {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, x, std::chars_format::general, digits);
    return std::string(text, end.ptr);
}

bool parseNumber(const std::string& word, double& x) {
    const char* first = word.data();
    const char* last = first + word.size();
    if (first != last && *first == '+') ++first;
    const auto end = std::from_chars(first, last, x);
    return end.ec == std::errc() && end.ptr == last && first != last;
}

std::string inQuotes(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (c == '\n')
            out += "\\n";
        else if (c == '\t')
            out += "\\t";
        else if (c == '\r')
            out += "\\r";
        else
            out += c;
    }
    return out + '"';
}

std::vector<std::string> splitWords(const std::string& text, const char* separators) {
    std::vector<std::string> words;
    size_t at = 0;
    while ((at = text.find_first_not_of(separators, at)) != std::string::npos) {
        const size_t end = std::min(text.find_first_of(separators, at), text.size());
        words.push_back(text.substr(at, end - at));
        at = end;
    }
    return words;
}

std::string trimmed(const std::string& text) {
    const size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string oneLine(const std::string& text, size_t maxBytes) {
    static const std::string kGap = " ... ";
    std::string line = text;
    if (text.size() > maxBytes) {
        const size_t kept = maxBytes - std::min(maxBytes, kGap.size());
        // Does not split UTF-8 sequences: their continuation bytes are 10xxxxxx.
        const auto inside = [&](size_t at) { return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80; };
        size_t head = kept - kept / 4, tail = text.size() - kept / 4;
        while (head > 0 && inside(head)) --head;
        while (tail < text.size() && inside(tail)) ++tail;
        line = text.substr(0, head) + kGap + text.substr(tail);
    }
    for (char& c : line)
        if (static_cast<unsigned char>(c) < ' ' || c == 127) c = ' ';
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

bool matches(const std::string& text, const std::string& pattern) {
    size_t t = 0, p = 0, star = std::string::npos, retry = 0;
    while (t < text.size()) {
        if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t]) && pattern[p] != '*') {
            ++t, ++p;
        } else if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            retry = t;
        } else if (star != std::string::npos) {
            p = star + 1;
            t = ++retry;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

// Case-insensitive Levenshtein distance.
static size_t distance(const std::string& a, const std::string& b) {
    auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    std::vector<size_t> row(b.size() + 1);
    for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (size_t i = 1; i <= a.size(); ++i) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            const size_t change = diagonal + (lower(a[i - 1]) != lower(b[j - 1]));
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
        }
    }
    return row[b.size()];
}

std::string nearest(const std::string& wanted, const std::vector<std::string>& names) {
    constexpr size_t kMaxLength = 100;  // bounds the quadratic cost; longer names are not typing errors
    std::string best;
    size_t least = std::max<size_t>(2, wanted.size() / 3) + 1;
    if (wanted.size() > kMaxLength) return best;
    for (const std::string& n : names) {
        if (n.size() >= wanted.size() + least) continue;
        const size_t d = distance(wanted, n);
        if (d < least) {
            least = d;
            best = n;
        }
    }
    return best;
}

}  // namespace purl::host
