// Printing that never throws: output that fails is dropped, so that a message cannot abort a run. Commands that print
// their result check afterwards whether it was written.
#pragma once
#include <fmt/format.h>

#include <string>

namespace purl {

void printOut(const std::string& text);    // stdout
void printError(const std::string& text);  // stderr
template <class... Arguments>
void printOut(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    printOut(fmt::format(format, std::forward<Arguments>(arguments)...));
}
template <class... Arguments>
void printError(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    printError(fmt::format(format, std::forward<Arguments>(arguments)...));
}

// Reason why output to stdout was lost; empty if none was.
std::string whyOutputIsMissing();

}  // namespace purl
