#include "plugin/cacheCommand.h"

#include <maya/MGlobal.h>

#include "nodes/cacheNode.h"
#include "plugin/writeFrames.h"
#include "solver/core/error.h"

namespace purl {

CommandAbout CacheCommand::about() {
    return {kName,
            "Simulates a range of frames into a cache, which is then played instead of simulating. Returns its folder.",
            rangeFlags(
                {{"cp", "checkpoints", MSyntax::kLong, "Frames between states that a branch can continue from. [24]"},
                 {"at", "attach", MSyntax::kBoolean, "Whether the scene plays the new cache. [on]"},
                 {"sur", "surfaces", MSyntax::kBoolean, "Whether to cache the meshes of liquids, too. [on]"},
                 {"ena", "enable", MSyntax::kBoolean,
                  "With edit: play the attached cache, or simulate. With query: whether it is played."},
                 {"del", "delete", MSyntax::kNoArg, "With edit: detaches the cache. Its files stay on disk."}}),
            true,
            true,
            true};
}

void CacheCommand::run(const MArgDatabase& arguments) {
    const MObject solver = requireSolver(arguments);
    if (arguments.isQuery()) return query(arguments, solver);
    if (arguments.isEdit()) return edit(arguments, solver);
    const FrameRange range = rangeOf(arguments, solver);
    CacheTarget target = targetOf(arguments, directoryOf(arguments), range.first);
    int checkpoints = 24;
    if (arguments.isFlagSet("-checkpoints")) arguments.getFlagArgument("-checkpoints", 0, checkpoints);
    if (checkpoints > 0) target.checkpoints = checkpoints;
    bool surfaces = true;
    if (arguments.isFlagSet("-surfaces")) arguments.getFlagArgument("-surfaces", 0, surfaces);
    // An attached cache must not be read instead of the simulation.
    const bool played = cachePlays(solver);
    simulate(solver);
    ScenePlayer player(solver, surfaces ? lastFrame(solver) : plugOf(solver, "outFrame"));
    writeFrames(player, openScene(solver), target, range.last);
    bool attaches = true;
    if (arguments.isFlagSet("-attach")) arguments.getFlagArgument("-attach", 0, attaches);
    if (attaches)
        attach(solver, target.directory.c_str());
    else if (played)
        playCache(solver);
    setResult(MString(target.directory.c_str()));
}

void CacheCommand::attach(const MObject& solver, const MString& directory) {
    MObject cache = cacheBehind(solver);
    if (cache.isNull()) {
        cache = create(CacheNode::kName, nameOf(solver) + "Cache1");
        connect(plugOf(timeNode(), "outTime"), plugOf(cache, "currentTime"));
        const MPlug live = plugOf(solver, "outFrame");
        for (const MPlug& to : destinationsOf(live)) {
            disconnect(live, to);
            connect(plugOf(cache, "outFrame"), to);
        }
        connect(live, plugOf(cache, "inFrame"));
    }
    set(plugOf(cache, "directory"), directory);
    playCache(solver);
}

void CacheCommand::detach(const MObject& solver) {
    const MObject cache = cacheBehind(solver);
    if (cache.isNull()) throw Error(std::string(nameOf(solver).asChar()) + " has no cache");
    simulate(solver);
    const MPlug played = plugOf(cache, "outFrame"), live = plugOf(solver, "outFrame");
    for (const MPlug& to : destinationsOf(played)) {
        disconnect(played, to);
        connect(live, to);
    }
    remove(cache);
}

void CacheCommand::edit(const MArgDatabase& arguments, const MObject& solver) {
    if (arguments.isFlagSet("-delete")) return detach(solver);
    const MObject cache = cacheBehind(solver);
    if (arguments.isFlagSet("-directory")) {
        MString directory;
        arguments.getFlagArgument("-directory", 0, directory);
        attach(solver, directory);
    } else if (cache.isNull()) {
        throw Error(std::string(nameOf(solver).asChar()) + " has no cache");
    }
    if (arguments.isFlagSet("-enable")) {
        bool on = true;
        arguments.getFlagArgument("-enable", 0, on);
        on ? playCache(solver) : simulate(solver);
    }
}

void CacheCommand::query(const MArgDatabase& arguments, const MObject& solver) {
    const MObject cache = cacheBehind(solver);
    if (cache.isNull()) {
        if (arguments.isFlagSet("-enable")) setResult(false);
        return;
    }
    const MString directory = plugOf(cache, "directory").asString();
    if (arguments.isFlagSet("-directory")) return setResult(directory);
    if (arguments.isFlagSet("-enable")) return setResult(cachePlays(solver));
    const Manifest manifest = CacheReader(directory.asUTF8()).manifest();
    if (manifest.frames.empty()) throw Error(std::string(directory.asUTF8()) + ": contains no frames");
    if (arguments.isFlagSet("-startFrame")) return setResult(manifest.frames.front().number);
    if (arguments.isFlagSet("-endFrame")) return setResult(manifest.frames.back().number);
    if (arguments.isFlagSet("-format")) {
        std::string all;
        for (const std::string& format : manifest.formats) all += (all.empty() ? "" : ",") + format;
        return setResult(MString(all.c_str()));
    }
    throw Error("no query flag given");
}

CommandAbout ExportCommand::about() {
    return {kName, "Writes the final frames, with all surfaces, as files for other programs. Returns the folder.",
            rangeFlags({})};
}

void ExportCommand::run(const MArgDatabase& arguments) {
    const MObject solver = requireSolver(arguments);
    const FrameRange range = rangeOf(arguments, solver);
    const CacheTarget target = targetOf(arguments, directoryOf(arguments), range.first);
    ScenePlayer player(solver, lastFrame(solver));
    // Cached frames can be read directly, without advancing to the first frame.
    if (cachePlays(solver)) player.continueAfter(target.first - 1);
    writeFrames(player, openScene(solver), target, range.last);
    setResult(MString(target.directory.c_str()));
}

}  // namespace purl
