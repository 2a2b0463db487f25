// purl doctor: what is likely wrong with a scene; with --fix, the scene put right.
#include "app/commands.h"
#include "app/print.h"
#include "farm/doctor.h"

namespace purl {
namespace {

const char* nameOf(Harm harm) { return harm == Harm::error ? "error" : harm == Harm::warning ? "warning" : "note"; }

}  // namespace

int examineScene(const DoctorOptions& options) {
    Playback playback(options.scene, {}, options.solver);
    bool well = true;
    for (const Problem& problem : examine(playback)) {
        const bool fixed = options.fix && problem.curable();
        const std::string remedy = problem.remedy.empty() ? "" : (fixed ? "; fixed: " : "; --fix: ") + problem.remedy;
        printOut("{}: {}{}{}{}\n", nameOf(problem.harm), problem.node, problem.node.empty() ? "" : " ", problem.what,
                 remedy);
        if (fixed) cure(playback, problem);
        well = well && (fixed || problem.harm == Harm::note);
    }
    if (well && !options.fix) printOut("{}: nothing is wrong\n", options.scene);
    if (options.fix) playback.save(options.out);
    return well ? kDone : kWrongInput;
}

}  // namespace purl
