#include "plugin/stateCommands.h"

#include <maya/MAnimControl.h>
#include <maya/MGlobal.h>
#include <maya/MStringArray.h>
#include <maya/MTime.h>

#include <algorithm>
#include <cmath>

#include "nodes/cacheNode.h"
#include "nodes/solverNode.h"
#include "plugin/panelSamples.h"
#include "plugin/writeFrames.h"
#include "solver/cache/stateFile.h"
#include "solver/core/error.h"

namespace purl {

CommandAbout InitialStateCommand::about() {
    return {kName,
            "Makes the current state the one that the simulation starts from. With query: its file, or an empty text.",
            {{"set", "setFromCurrent", MSyntax::kString, "Saves the current state in this file and starts from it."},
             {"cl", "clear", MSyntax::kNoArg, "Starts from the bodies again."},
             kSolverFlag},
            true,
            true};
}

void InitialStateCommand::run(const MArgDatabase& arguments) {
    const MObject solver = requireSolver(arguments);
    const MPlug plug = plugOf(solver, "initialState");
    if (arguments.isQuery()) return setResult(plug.asString());
    if (arguments.isFlagSet("-clear")) {
        set(plug, MString(""));
        return setResult(nameOf(solver));
    }
    if (!arguments.isFlagSet("-setFromCurrent")) throw Error("-setFromCurrent with a file, or -clear, is required");
    MString file;
    arguments.getFlagArgument("-setFromCurrent", 0, file);
    const bool played = cachePlays(solver);
    simulate(solver);
    const auto now = static_cast<int>(std::floor(MAnimControl::currentTime().as(MTime::uiUnit())));
    evaluateFrame(plugOf(solver, "outFrame"), now);
    const auto state = solverNode(solver).state();
    if (!state)
        throw Error(std::string(nameOf(solver).asUTF8()) + ": no state at this frame; see the previous message");
    saveState(*state, file.asUTF8());
    set(plug, file);
    solverNode(solver).reloadInitialState();
    if (played) playCache(solver);
    setResult(nameOf(solver));
}

namespace {

// A branch by its path from the root cache, "honey" or "honey/thicker"; empty for the root itself.
struct NamedBranch {
    std::string path, folder;
};

// All branches of the tree that a cache belongs to.
std::vector<NamedBranch> branchTree(const std::string& folder) {
    std::vector<NamedBranch> all;
    std::vector<std::string> ancestors;
    for (const PanelCache& cache : panelCaches(rootOfBranches(folder))) {
        ancestors.resize(static_cast<size_t>(cache.depth));
        std::string path;
        for (const std::string& above : ancestors) path += above.empty() ? "" : above + "/";
        ancestors.push_back(cache.depth > 0 ? cache.name : "");
        all.push_back({path + ancestors.back(), cache.folder});
    }
    return all;
}

}  // namespace

CommandAbout BranchCommand::about() {
    return {kName,
            "Simulates a branch of the attached cache with the current settings from a frame on, and plays it. With "
            "query: the names of all branches.",
            rangeFlags(
                {{"n", "name", MSyntax::kString, "Name of the branch; with edit, of the one to play."},
                 {"fr", "fromFrame", MSyntax::kLong, "First frame of the branch; earlier ones are those of the cache."},
                 {"ls", "list", MSyntax::kNoArg, "With query: the names of all branches."},
                 {"rt", "root", MSyntax::kNoArg, "With edit: plays the cache itself instead of a branch."}},
                true),
            true,
            true,
            true};
}

void BranchCommand::run(const MArgDatabase& arguments) {
    const MObject solver = requireSolver(arguments);
    const MObject cache = cacheBehind(solver);
    if (cache.isNull())
        throw Error(std::string(nameOf(solver).asChar()) +
                    " has no cache to branch from; create one with purlCacheSim");
    const std::string root = plugOf(cache, "directory").asString().asUTF8();
    if (arguments.isQuery()) {
        MStringArray names;
        for (const NamedBranch& branch : branchTree(root))
            if (!branch.path.empty()) names.append(branch.path.c_str());
        return setResult(names);
    }
    MString name;
    if (arguments.isFlagSet("-name")) arguments.getFlagArgument("-name", 0, name);
    if (name.length() == 0 && !(arguments.isEdit() && arguments.isFlagSet("-root")))
        throw Error("-name is required: the name of the branch");
    if (arguments.isEdit()) {
        std::string available;
        for (const NamedBranch& branch : branchTree(root)) {
            if (branch.path == name.asUTF8()) {
                set(plugOf(cache, "directory"), MString(branch.folder.c_str()));
                return setResult(MString(branch.folder.c_str()));
            }
            if (!branch.path.empty()) available += (available.empty() ? "; available: " : ", ") + branch.path;
        }
        throw Error(std::string("there is no branch named ") + name.asUTF8() + available);
    }
    const std::string folder = branchFolder(root, name.asUTF8());
    int from = 0;
    const int start = startFrameOf(solver);
    if (!arguments.isFlagSet("-fromFrame")) throw Error("-fromFrame is required: the branch's first frame");
    arguments.getFlagArgument("-fromFrame", 0, from);
    if (from <= start) throw Error("a branch must start after frame " + std::to_string(start));
    simulate(solver);
    const SceneSource scene = openScene(solver);
    const CacheReader parent(root);
    parent.checkCanBranch();
    const Manifest& manifest = parent.manifest();
    CacheTarget target = targetOf(arguments, folder, from);
    if (target.formats.empty()) target.formats = manifest.formats;
    target.checkpoints = 24;
    ScenePlayer player(solver, lastFrame(solver));
    player.enterBranch(name.asUTF8(), "../..", manifest.run, from);
    // From the nearest earlier checkpoint, if any.
    const int restored = std::max(start, player.restore(root, from - 1));
    if (restored == start) player.restart();
    if (restored < from - 1)
        MGlobal::displayWarning(MString("no checkpoint of frame ") + (from - 1) + ": changes take effect from frame " +
                                restored + "; purlCacheSim -checkpoints 1 keeps one for every frame");
    writeFrames(player, scene, target, rangeOf(arguments, solver).last);
    set(plugOf(cache, "directory"), MString(folder.c_str()));
    playCache(solver);
    setResult(MString(folder.c_str()));
}

}  // namespace purl
