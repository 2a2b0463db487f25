#include "plugin/stateCommands.h"

#include <maya/MAnimControl.h>
#include <maya/MGlobal.h>
#include <maya/MStringArray.h>
#include <maya/MTime.h>

#include <cmath>

#include "nodes/cacheNode.h"
#include "nodes/solverNode.h"
#include "plugin/panelSamples.h"
#include "plugin/writeFrames.h"
#include "solver/cache/stateFile.h"
#include "solver/cache/stateFolder.h"
#include "solver/core/error.h"

namespace purl {

MSyntax InitialStateCommand::newSyntax() {
    MSyntax syntax;
    syntax.addFlag("-set", "-setFromCurrent", MSyntax::kString);
    syntax.addFlag("-cl", "-clear");
    syntax.addFlag("-s", "-solver", MSyntax::kString);
    syntax.setObjectType(MSyntax::kSelectionList, 0);
    syntax.useSelectionAsDefault(true);
    syntax.enableQuery(true);
    return syntax;
}

void InitialStateCommand::run(const MArgDatabase& arguments) {
    const MObject solver = needSolver(arguments);
    const MPlug plug = plugOf(solver, "initialState");
    if (arguments.isQuery()) return setResult(plug.asString());
    if (arguments.isFlagSet("-clear")) {
        set(plug, MString(""));
        return setResult(nameOf(solver));
    }
    if (!arguments.isFlagSet("-setFromCurrent")) throw Error("-setFromCurrent with a file, or -clear, is needed");
    MString file;
    arguments.getFlagArgument("-setFromCurrent", 0, file);
    const bool played = cachePlays(solver);
    simulate(solver);
    const auto now = static_cast<int>(std::floor(MAnimControl::currentTime().as(MTime::uiUnit())));
    pullFrame(plugOf(solver, "outFrame"), now);
    saveState(solverNode(solver).simulator()->state(), file.asUTF8());
    set(plug, file);
    solverNode(solver).reloadInitialState();
    if (played) playCache(solver);
    setResult(nameOf(solver));
}

namespace {

// A branch by its way from the first cache, "honey" or "honey/thicker"; of that one itself, empty.
struct NamedBranch {
    std::string way, folder;
};

// All of the tree that a cache is in.
std::vector<NamedBranch> branchesAround(const std::string& folder) {
    std::vector<NamedBranch> all;
    std::vector<std::string> line;
    for (const PanelCache& cache : panelCaches(rootOfBranches(folder))) {
        line.resize(static_cast<size_t>(cache.depth));
        std::string way;
        for (const std::string& above : line) way += above.empty() ? "" : above + "/";
        line.push_back(cache.depth > 0 ? cache.name : "");
        all.push_back({way + line.back(), cache.folder});
    }
    return all;
}

}  // namespace

MSyntax BranchCommand::newSyntax() {
    MSyntax syntax;
    addRangeFlags(syntax);
    syntax.addFlag("-n", "-name", MSyntax::kString);
    syntax.addFlag("-fr", "-fromFrame", MSyntax::kLong);
    syntax.addFlag("-ls", "-list");
    syntax.addFlag("-rt", "-root");
    syntax.enableQuery(true);
    syntax.enableEdit(true);
    return syntax;
}

void BranchCommand::run(const MArgDatabase& arguments) {
    const MObject solver = needSolver(arguments);
    const MObject cache = cacheBehind(solver);
    if (cache.isNull())
        throw Error(std::string(nameOf(solver).asChar()) + " has no cache to branch from; purlCacheSim makes one");
    const std::string root = plugOf(cache, "directory").asString().asUTF8();
    if (arguments.isQuery()) {
        MStringArray names;
        for (const NamedBranch& branch : branchesAround(root))
            if (!branch.way.empty()) names.append(branch.way.c_str());
        return setResult(names);
    }
    MString name;
    if (arguments.isFlagSet("-name")) arguments.getFlagArgument("-name", 0, name);
    if (name.length() == 0 && !(arguments.isEdit() && arguments.isFlagSet("-root")))
        throw Error("-name is needed: what the branch is called");
    if (arguments.isEdit()) {
        std::string there;
        for (const NamedBranch& branch : branchesAround(root)) {
            if (branch.way == name.asUTF8()) {
                set(plugOf(cache, "directory"), MString(branch.folder.c_str()));
                return setResult(MString(branch.folder.c_str()));
            }
            if (!branch.way.empty()) there += (there.empty() ? "; there are: " : ", ") + branch.way;
        }
        throw Error(std::string("there is no branch ") + name.asUTF8() + there);
    }
    const std::string folder = branchFolder(root, name.asUTF8());
    int from = 0;
    const int start = startFrameOf(solver);
    if (!arguments.isFlagSet("-fromFrame")) throw Error("-fromFrame is needed: the branch's first frame");
    arguments.getFlagArgument("-fromFrame", 0, from);
    if (from <= start) throw Error("a branch begins after frame " + std::to_string(start));
    FrameJob job;
    job.solver = solver;
    simulate(solver);
    job.frames = lastFrame(solver);
    job.directory = folder;
    job.settings = settingsOf(arguments, solver);
    const Manifest manifest = CacheReader(root).manifest();
    if (!arguments.isFlagSet("-format")) job.settings.formats = manifest.formats;
    job.settings.branch = name.asUTF8();
    job.settings.parent = "../..";
    job.settings.branchFrame = from;
    job.settings.run.origin = originOf(manifest.run, from);
    job.first = from;
    job.last = rangeOf(arguments, solver).last;
    job.checkpoints = 24;
    // From the nearest state kept before it, if there is one.
    std::vector<std::string> skipped;
    std::optional<SavedState> saved = newestState(root, manifest, from - 1, skipped);
    for (const std::string& line : skipped) MGlobal::displayWarning(line.c_str());
    job.from = saved ? saved->frame : start;
    if (job.from < from - 1)
        MGlobal::displayWarning(MString("no state of frame ") + (from - 1) +
                                " is kept: what was changed holds from frame " + job.from +
                                " on; purlCacheSim -checkpoints 1 keeps the state of every frame");
    if (job.from > start) solverNode(solver).resumeFrom(std::move(saved->state));
    if (writeFrames(job).last < job.first) throw Cancelled();
    set(plugOf(cache, "directory"), MString(folder.c_str()));
    playCache(solver);
    setResult(MString(folder.c_str()));
}

}  // namespace purl
