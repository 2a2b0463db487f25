// Printing that never throws. What cannot be printed is dropped: a message must not end a run. Only commands whose
// result is what they print ask afterwards whether it was.
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

// Why something of stdout is missing; empty: all that was printed is there.
std::string whyOutputIsMissing();

// To be called first. Streams that were closed are opened so that writing to them fails: otherwise the next file opened
// would take their place, and messages would end up in it. A reader that is gone is an error, not the end.
void holdStandardStreams();

}  // namespace purl
