// purl status: how far the wedges of a folder are.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/print.h"
#include "app/progress.h"
#include "farm/wedgeStatus.h"
#include "farm/wedges.h"

namespace purl {
namespace {

void printStatusJson(const std::vector<WedgeStatus>& all) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const WedgeStatus& wedge : all)
        list.push_back({{"wedge", wedge.name},
                        {"folder", wedge.folder},
                        {"state", nameOf(wedge.state)},
                        {"set", wedge.assignments},
                        {"frames", wedge.frames},
                        {"wanted", wedge.wanted},
                        {"lastFrame", wedge.lastFrame},
                        {"secondsPerFrame", wedge.secondsPerFrame},
                        {"secondsLeft", wedge.secondsLeft},
                        {"meshes", wedge.meshes},
                        {"images", wedge.images},
                        {"machine", wedge.machine},
                        {"error", wedge.error}});
    printOut("{}\n", list.dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::string rateText(double seconds) { return seconds > 0 ? fmt::format("{:.3g} s", seconds) : "-"; }

}  // namespace

int printStatus(const StatusOptions& options) {
    const std::vector<WedgeStatus> all = statusOfWedges(options.folder);
    if (options.json) {
        printStatusJson(all);
        return kDone;
    }
    size_t width = 5;
    for (const WedgeStatus& wedge : all) width = std::max(width, wedge.name.size());
    printOut("{:<{}}  {:<8}{:>10}{:>7}{:>10}{:>10}{:>8}{:>8}  {}\n", "wedge", width, "state", "frames", "last",
             "a frame", "left", "meshes", "images", "machine");
    int counts[5] = {};
    for (const WedgeStatus& wedge : all) {
        ++counts[static_cast<int>(wedge.state)];
        const bool unfinished = wedge.frames < wedge.wanted && wedge.secondsPerFrame > 0;
        const std::string frames = wedge.wanted > 0 ? fmt::format("{}/{}", wedge.frames, wedge.wanted) : "-";
        const std::string last = wedge.frames > 0 ? std::to_string(wedge.lastFrame) : "-";
        std::string line =
            fmt::format("{:<{}}  {:<8}{:>10}{:>7}{:>10}{:>10}{:>8}{:>8}  {}", wedge.name, width, nameOf(wedge.state),
                        frames, last, rateText(wedge.secondsPerFrame), unfinished ? duration(wedge.secondsLeft) : "-",
                        wedge.meshes, wedge.images, wedge.machine);
        line.erase(line.find_last_not_of(' ') + 1);
        printOut("{}\n", line);
        if (wedge.state == WedgeState::failed) printOut("    {}\n", wedge.error);
    }
    std::string summary;
    for (const WedgeState state :
         {WedgeState::done, WedgeState::running, WedgeState::waiting, WedgeState::stopped, WedgeState::failed})
        if (const int count = counts[static_cast<int>(state)])
            summary += fmt::format("{}{} {}", summary.empty() ? "" : ", ", count, nameOf(state));
    printOut("{} wedge{}: {}\n", all.size(), all.size() == 1 ? "" : "s", summary);
    return kDone;
}

}  // namespace purl
