#include "plugin/stateCommands.h"

#include <maya/MAnimControl.h>
#include <maya/MStringArray.h>
#include <maya/MTime.h>

#include <cmath>

#include "nodes/cacheNode.h"
#include "nodes/solverNode.h"
#include "plugin/writeFrames.h"
#include "solver/cache/stateFile.h"
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
    const auto now = static_cast<int>(std::floor(MAnimControl::currentTime().as(MTime::uiUnit())));
    pullFrame(plugOf(solver, "outFrame"), now);
    saveState(solverNode(solver).simulator()->state(), file.asUTF8());
    set(plug, file);
    setResult(nameOf(solver));
}

MSyntax BranchCommand::newSyntax() {
    MSyntax syntax;
    addRangeFlags(syntax);
    syntax.addFlag("-n", "-name", MSyntax::kString);
    syntax.addFlag("-fr", "-from", MSyntax::kLong);
    syntax.addFlag("-ls", "-list");
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
        for (const std::string& branch : branchesOf(root)) names.append(branch.c_str());
        return setResult(names);
    }
    MString name;
    if (arguments.isFlagSet("-name")) arguments.getFlagArgument("-name", 0, name);
    if (name.length() == 0) throw Error("-name is needed: what the branch is called");
    const std::string folder = branchFolder(root, name.asUTF8());
    if (arguments.isEdit()) {
        CacheReader reader(folder);  // throws where there is none
        set(plugOf(cache, "directory"), MString(folder.c_str()));
        return setResult(MString(folder.c_str()));
    }
    int from = 0;
    const int start = startFrameOf(solver);
    if (!arguments.isFlagSet("-from")) throw Error("-from is needed: the branch's first frame");
    arguments.getFlagArgument("-from", 0, from);
    if (from <= start) throw Error("a branch begins after frame " + std::to_string(start));
    FrameJob job;
    job.solver = solver;
    set(plugOf(cache, "mode"), int(CacheMode::pass));
    job.frames = lastFrame(solver);
    job.directory = folder;
    job.settings = settingsOf(arguments, solver);
    if (!arguments.isFlagSet("-format")) job.settings.formats = CacheReader(root).manifest().formats;
    job.settings.branch = name.asUTF8();
    job.settings.parent = "../..";
    job.settings.branchFrame = from;
    job.first = from;
    job.last = rangeOf(arguments, solver).last;
    job.checkpoints = 24;
    // From the nearest state kept before it, if there is one.
    job.from = start;
    for (const int saved : savedStates(root))
        if (saved < from) job.from = saved;
    if (job.from > start) { solverNode(solver).resumeFrom(loadState(stateFileOf(root, job.from))); }
    if (writeFrames(job).last < job.first) throw Cancelled();
    set(plugOf(cache, "directory"), MString(folder.c_str()));
    set(plugOf(cache, "mode"), int(CacheMode::read));
    setResult(MString(folder.c_str()));
}

}  // namespace purl
