// Small text tools of the host: numbers that read back exactly, words, wildcards, near misses.
#pragma once
#include <string>
#include <vector>

namespace purl::host {

std::string shortest(double x);  // fewest digits that read back to the same number
std::string shortest(float x);
// As printf's %.*g, with a point in every locale: a host with windows takes over the user's.
std::string withDigits(double x, int digits);
bool parseNumber(const std::string& word, double& x);  // the whole word, in the C locale
std::vector<std::string> splitWords(const std::string& text, const char* separators);
std::string inQuotes(const std::string& text);  // as a scene file has it: "…" with \" \\ \n \t
std::string trimmed(const std::string& text);
// As a message shows it: control characters as spaces, and of a long text its beginning and its end.
std::string oneLine(const std::string& text, size_t maxBytes = 600);
bool matches(const std::string& text, const std::string& pattern);  // * and ?

// Closest name to a mistyped one, or empty if none is close.
std::string nearest(const std::string& wanted, const std::vector<std::string>& names);

}  // namespace purl::host
