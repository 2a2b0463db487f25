// Progress on stderr: one live line on a terminal, plain lines otherwise; warnings and errors stand above it.
#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "host/graph/graph.h"

namespace purl {

class ProgressLine {
  public:
    explicit ProgressLine(bool quiet);
    ~ProgressLine();

    // Replaces the live line; written at most ten times a second, and only on a terminal.
    void live(const std::string& text);
    // A line that stays.
    void line(const std::string& text);
    // For a Session: a warning or an error of a node, each different text once.
    void message(host::Severity severity, const std::string& text);

  private:
    void clear();

    bool quiet_, terminal_, shown_ = false;
    std::chrono::steady_clock::time_point last_{};
    std::vector<std::string> said_;
};

// "1:02:03", "4:05" or "12 s".
std::string duration(double seconds);

}  // namespace purl
