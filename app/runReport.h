// What a command reports to a farm: progress on standard output, the last error beside the cache, a command at the end.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "farm/pathMap.h"

namespace purl {

// Options of commands that run on farms.
struct FarmOptions {
    // Seconds between progress lines on stderr, or openjd or json: lines on stdout for a scheduler. Empty: 10 s.
    std::string progress;
    std::string notify;   // shell command at the end
    std::string pathMap;  // file with path mapping rules
};
// Seconds between progress lines within a frame, if stderr is not a terminal.
double progressSeconds(const FarmOptions& options);
PathMap pathMapOf(const FarmOptions& options);

struct RunProgress {
    int frame = 0, last = 0;  // done, and the last one wanted
    double share = 0;         // of all work, 0 … 1
    int64_t particles = 0;
    double secondsLeft = 0;
    std::string hash{};  // of the finished frame; empty within a frame
};

class RunReport {
  public:
    explicit RunReport(const FarmOptions& options);

    // Runs the command and returns its exit code. Reports its end, also by an exception, which is passed on.
    int run(const std::function<int()>& command);
    // The cache to name; a failure is recorded there only after the run has begun to write it. A run that is refused
    // changes nothing.
    void setCache(const std::string& folder) { cache_ = folder; }
    void beginWriting() { writing_ = true; }
    void progress(const RunProgress& at);

  private:
    enum class Style { text, openjd, json };
    void end(const char* result, const std::string& error);

    Style style_ = Style::text;
    std::string notify_, cache_;
    bool writing_ = false;
};

}  // namespace purl
