#include "app/runReport.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/print.h"
#include "app/progress.h"
#include "farm/lastError.h"
#include "host/host.h"
#include "solver/cache/manifestFile.h"
#include "solver/core/error.h"
#include "solver/core/path.h"
#include "solver/core/system.h"

namespace purl {
namespace {

std::string oneLine(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

// At once: a scheduler reads while the command runs.
void printLine(const std::string& line) {
    printOut(line + "\n");
    std::fflush(stdout);
}

void printEvent(const nlohmann::ordered_json& event) {
    printLine(event.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace

double progressSeconds(const FarmOptions& options) {
    constexpr double kDefault = 10;
    return options.progress.empty() || options.progress == "openjd" || options.progress == "json"
               ? kDefault
               : std::atof(options.progress.c_str());
}

PathMap pathMapOf(const FarmOptions& options) {
    return options.pathMap.empty() ? PathMap() : PathMap::read(options.pathMap);
}

RunReport::RunReport(const FarmOptions& options) : notify_(options.notify) {
    if (options.progress == "openjd") style_ = Style::openjd;
    if (options.progress == "json") style_ = Style::json;
}

void RunReport::progress(const RunProgress& at) {
    const double percent = 100 * std::clamp(at.share, 0.0, 1.0);
    if (style_ == Style::openjd) {
        printLine(fmt::format("openjd_progress: {:.1f}", percent));
        printLine(fmt::format("openjd_status: frame {} of {}, {} left", at.frame, at.last, duration(at.secondsLeft)));
    } else if (style_ == Style::json) {
        nlohmann::ordered_json event = {{"event", at.hash.empty() ? "progress" : "frame"},
                                        {"frame", at.frame},
                                        {"last", at.last},
                                        {"percent", percent},
                                        {"particles", at.particles},
                                        {"secondsLeft", at.secondsLeft}};
        if (!at.hash.empty()) event["hash"] = at.hash;
        printEvent(event);
    }
}

void RunReport::end(const char* result, const std::string& error) {
    const std::string what = oneLine(error);
    if (writing_ || (!cache_.empty() && !hasManifest(cache_))) {
        if (what.empty())
            removeLastError(cache_);
        else
            writeLastError(cache_, what);
    }
    if (style_ == Style::openjd && !what.empty()) printLine("openjd_fail: " + what);
    if (style_ == Style::json) {
        nlohmann::ordered_json event = {{"event", result}, {"cache", cache_}};
        if (!what.empty()) event["error"] = what;
        printEvent(event);
    }
    if (notify_.empty()) return;
    os::setEnvironment("PURL_RESULT", result);
    os::setEnvironment("PURL_CACHE", cache_.empty() ? "" : absolutePath(cache_));
    os::setEnvironment("PURL_ERROR", what);
    if (std::system(notify_.c_str()) != 0) printError("warning: --notify: \"{}\" failed\n", notify_);
}

int RunReport::run(const std::function<int()>& command) {
    const auto endEarly = [&] { end(wasAskedToStop() ? "stopped" : "cancelled", ""); };
    try {
        const int code = command();
        if (code == kDone)
            end("done", "");
        else
            endEarly();
        return code;
    } catch (const Cancelled&) {
        endEarly();
        throw;
    } catch (const host::Interrupted&) {
        endEarly();
        throw;
    } catch (const std::bad_alloc&) {
        end("failed", "out of memory");
        throw;
    } catch (const std::exception& error) {
        end("failed", error.what());
        throw;
    }
}

}  // namespace purl
