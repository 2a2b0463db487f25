// Text functions: shortest round-trip numbers, word splitting, wildcards, nearest-name suggestions.
#pragma once
#include <string>
#include <vector>

namespace purl::host {

std::string shortest(double x);  // fewest digits that round-trip
std::string shortest(float x);
// Like printf's %.*g, but always with a decimal point: GUI applications may set another locale.
std::string withDigits(double x, int digits);
bool parseNumber(const std::string& word, double& x);  // the whole word, in the C locale
std::vector<std::string> splitWords(const std::string& text, const char* separators);
std::string inQuotes(const std::string& text);  // quoted as in a scene file, with the escapes \" \\ \n \t
std::string trimmed(const std::string& text);
// For messages: replaces control characters by spaces and elides the middle of a long text.
std::string oneLine(const std::string& text, size_t maxBytes = 600);
bool matches(const std::string& text, const std::string& pattern);  // * and ?

// The name closest to a mistyped one, or empty if none is close.
std::string nearest(const std::string& wanted, const std::vector<std::string>& names);

}  // namespace purl::host
