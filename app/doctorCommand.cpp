// purl doctor: reports likely problems of a scene; with --fix, repairs them.
#include "app/commands.h"
#include "app/print.h"
#include "farm/doctor.h"

namespace purl {
namespace {

const char* nameOf(Harm harm) { return harm == Harm::error ? "error" : harm == Harm::warning ? "warning" : "note"; }

}  // namespace

int examineScene(const DoctorOptions& options) {
    Playback playback(options.scene, {}, options.solver);
    bool healthy = true;
    for (const Problem& problem : examine(playback)) {
        const bool fixed = options.fix && problem.curable();
        const std::string remedy = problem.remedy.empty() ? "" : (fixed ? "; fixed: " : "; --fix: ") + problem.remedy;
        printOut("{}: {}{}{}{}\n", nameOf(problem.harm), problem.node, problem.node.empty() ? "" : " ", problem.what,
                 remedy);
        if (fixed) cure(playback, problem);
        healthy = healthy && (fixed || problem.harm == Harm::note);
    }
    if (healthy && !options.fix) printOut("{}: no problems found\n", options.scene);
    if (options.fix) playback.save(options.out);
    return healthy ? kDone : kWrongInput;
}

}  // namespace purl
