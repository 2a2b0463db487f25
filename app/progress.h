// Progress on stderr: one live line on a terminal, a plain line now and then otherwise; warnings and errors stand above
// it.
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

    // Replaces the live line, at most ten times a second. Where stderr is no terminal: a line that stays, when nothing
    // was written for `plainSeconds`.
    void live(const std::string& text);
    // A line that stays.
    void line(const std::string& text);
    // The same, even when quiet.
    void warning(const std::string& text);
    // Asks on a terminal; true without asking where stdin or stderr is none.
    bool confirm(const std::string& question);
    // For a Playback: a warning or an error of a node, each different text once.
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
