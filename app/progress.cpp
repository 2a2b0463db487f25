#include "app/progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>

#include "app/print.h"
#include "solver/core/system.h"

namespace purl {

ProgressLine::ProgressLine(bool quiet, double plainSeconds)
    : quiet_(quiet), terminal_(os::isTerminal(stderr)), plainInterval_(plainSeconds) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::clear() {
    if (shown_) printError("\r\x1b[K");
    shown_ = false;
}

void ProgressLine::live(const std::string& text) {
    constexpr std::chrono::duration<double> kLiveInterval(0.1);
    const auto now = std::chrono::steady_clock::now();
    if (quiet_ || now - last_ < (terminal_ ? kLiveInterval : plainInterval_)) return;
    if (!terminal_) return line(text);
    last_ = now;
    printError("\r\x1b[K{}", text);
    std::fflush(stderr);
    shown_ = true;
}

void ProgressLine::line(const std::string& text) {
    if (quiet_) return;
    clear();
    printError("{}\n", text);
    last_ = std::chrono::steady_clock::now();
}

void ProgressLine::warning(const std::string& text) {
    clear();
    printError("warning: {}\n", text);
}

bool ProgressLine::confirm(const std::string& question) {
    if (!terminal_ || !os::isTerminal(stdin)) return true;
    clear();
    printError("{} [y/N] ", question);
    std::fflush(stderr);
    std::string answer;
    std::getline(std::cin, answer);
    return answer == "y" || answer == "Y" || answer == "yes";
}

void ProgressLine::message(host::Severity severity, const std::string& text) {
    if (severity == host::Severity::Info || std::find(said_.begin(), said_.end(), text) != said_.end()) return;
    said_.push_back(text);
    // Errors abort the command, which prints them itself.
    if (severity == host::Severity::Warning) line("warning: " + text);
}

std::string duration(double seconds) {
    const auto s = static_cast<long>(std::lround(seconds));
    if (s < 60) return fmt::format("{} s", s);
    if (s < 3600) return fmt::format("{}:{:02}", s / 60, s % 60);
    return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

}  // namespace purl
