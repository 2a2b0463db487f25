// Progress on stderr: a live line on a terminal, otherwise a plain line at intervals; warnings and errors are printed
// above it.
#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "host/graph/graph.h"

namespace purl {

class ProgressLine {
  public:
    explicit ProgressLine(bool quiet, double plainSeconds = 10);
    ~ProgressLine();

    // Replaces the live line, at most ten times a second. If stderr is not a terminal, prints a line if nothing was
    // written for `plainSeconds`.
    void live(const std::string& text);
    // Prints a permanent line.
    void line(const std::string& text);
    // Prints a warning, even if quiet.
    void warning(const std::string& text);
    // Asks on a terminal; returns true without asking if stdin or stderr is not one.
    bool confirm(const std::string& question);
    // For a Playback: prints each distinct warning of a node once.
    void message(host::Severity severity, const std::string& text);

  private:
    void clear();

    bool quiet_, terminal_, shown_ = false;
    std::chrono::duration<double> plainInterval_;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
    std::vector<std::string> said_;
};

// "1:02:03", "4:05" or "12 s".
std::string duration(double seconds);

}  // namespace purl
