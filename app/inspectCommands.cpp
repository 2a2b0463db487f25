// purl info, verify, describe: what is in a file, whether it is whole and comes out the same again, and what a node
// has.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/commands.h"
#include "farm/commands.h"
#include "farm/doctor.h"
#include "farm/estimate.h"
#include "farm/session.h"
#include "host/ma/load.h"
#include "nodes/nodes.h"
#include "solver/cache/cache.h"
#include "solver/core/hash.h"
#include "solver/sceneText.h"

namespace fs = std::filesystem;

namespace purl {
namespace {

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
    return text;
}

std::string counts(const std::map<std::string, int>& of) {
    std::string text;
    for (const auto& [what, count] : of) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", what, count);
    return text;
}

// What of a scene was understood, and what not.
void printReport(const std::string& path, const host::Graph& graph, const host::LoadReport& report) {
    fmt::print("{}: Maya ASCII {}, frames {} to {} at {} fps, in {} and {}, {} up\n", path, report.mayaVersion,
               report.firstFrame, report.lastFrame, report.framesPerSecond, report.linearUnit, report.angularUnit,
               report.upAxis);
    std::map<std::string, int> types;
    for (const host::NodePtr& node : graph.nodes())
        if (!node->type->placeholder) ++types[node->type->name];
    fmt::print("nodes: {}\nstatements: {}\n", counts(types), counts(report.executed));
    if (!report.unknownTypes.empty()) fmt::print("kept, but doing nothing: {}\n", counts(report.unknownTypes));
    if (!report.skipped.empty()) fmt::print("skipped: {}\n", counts(report.skipped));
    if (!report.missingPlugins.empty()) fmt::print("plug-ins that are not here: {}\n", joined(report.missingPlugins));
    for (const std::string& warning : report.warnings) fmt::print("warning: {}\n", warning);
    if (report.moreWarnings > 0) fmt::print("and {} more warnings\n", report.moreWarnings);
}

int printScene(const std::string& path) {
    {
        host::Graph graph;
        loadPurl();
        const host::LoadReport report = host::loadScene(graph, path);
        printReport(path, graph, report);
        if (graph.nodesOfType("purlSolver").empty()) {
            fmt::print("no purlSolver: there is nothing to simulate\n");
            return kDone;
        }
    }
    Session session(path);
    const Estimate estimate = estimateRun(patientOf(session), session.playbackRange().last, 0, physicalMegabytes());
    fmt::print("estimate for frames {} to {}: {}\n", session.startFrame(), session.playbackRange().last,
               estimate.text());
    for (const std::string& warning : estimate.warnings) fmt::print("warning: {}\n", warning);
    const auto first = session.frame(session.startFrame());
    // In the unit that the scene's attributes have, as --set takes them.
    const host::Units& units = session.graph().units;
    Scene scene = session.solver().scene();
    scaleLengths(scene, 1 / (units.cmPerUnit * session.graph().plug(session.solverName() + ".spaceScale").number()));
    fmt::print("{} particles at frame {}\n{}", first->points.count(), session.startFrame(),
               toString(scene, units.linear));
    return kDone;
}

// The branches that left a cache, and theirs.
void printBranches(const std::string& path, int depth) {
    for (const std::string& name : branchesOf(path)) {
        const std::string where = branchFolder(path, name);
        const Manifest manifest = CacheReader(where).manifest();
        fmt::print("{:{}}branch {}: from frame {}, {} frames, {}\n", "", 2 * depth, name, manifest.branchFrame,
                   manifest.frames.size(), joined(manifest.assignments));
        printBranches(where, depth + 1);
    }
}

// The caches from the first one to this, each a branch of the one before.
std::vector<const CacheReader*> lineageOf(const CacheReader& reader) {
    std::vector<const CacheReader*> line;
    for (const CacheReader* at = &reader; at; at = at->parent()) line.insert(line.begin(), at);
    return line;
}

// Simulates again and compares the state of every frame up to `last` with the receipts; true where all agree.
bool rerunAgrees(const std::string& cache, int last) {
    const CacheReader reader(cache);
    const std::vector<const CacheReader*> line = lineageOf(reader);
    const Manifest& first = line.front()->manifest();
    Session session(first.scenePath);
    if (session.sceneHash() != first.sceneHash)
        throw Error(cache + ": its scene " + first.scenePath + " was changed since; it cannot be run again");
    session.writeNothing();
    for (const std::string& assignment : first.assignments) session.set(assignment);
    size_t next = 1, compared = 0;
    for (int number = session.startFrame(); number <= last; ++number) {
        // What a branch set beyond its parent's comes at its first frame.
        for (; next < line.size() && line[next]->manifest().branchFrame == number; ++next) {
            const auto &before = line[next - 1]->manifest().assignments, &after = line[next]->manifest().assignments;
            for (size_t i = before.size(); i < after.size(); ++i) session.set(after[i]);
        }
        const auto frame = session.frame(number);
        const FrameRecord* record = line[next - 1]->manifest().find(number);
        if (!record) continue;
        ++compared;
        if (record->stateHash != frame->stateHash) {
            fmt::print(stderr, "{}: frame {} was {} and is {} when run again\n", cache, number,
                       toHex(record->stateHash), toHex(frame->stateHash));
            return false;
        }
    }
    fmt::print("{}: {} frames, the same when run again\n", cache, compared);
    return true;
}

int printCache(const std::string& path) {
    const CacheReader reader(path);
    const Manifest& manifest = reader.manifest();
    fmt::print("{}: {} frames at {} fps, {} m a unit, of {}\n", path, manifest.frames.size(), manifest.fps,
               manifest.metersPerUnit, manifest.scenePath);
    for (const auto& frame : manifest.frames) {
        uintmax_t bytes = 0;
        for (const auto& file : frame.files) bytes += file.receipt.bytes;
        fmt::print("  frame {:4}  {:8} particles  {:10} bytes in {} files  {}\n", frame.number, frame.particles, bytes,
                   frame.files.size(), frame.stateHash ? toHex(frame.stateHash) : "between simulated frames");
    }
    std::vector<std::string> attributes;
    for (const AttributeRecord& attribute : manifest.attributes) attributes.push_back(attribute.name);
    std::sort(attributes.begin(), attributes.end());
    attributes.erase(std::unique(attributes.begin(), attributes.end()), attributes.end());
    fmt::print("by {}, as {}: {}\n", manifest.toolVersion, joined(manifest.formats), joined(attributes));
    if (!manifest.assignments.empty()) fmt::print("set: {}\n", joined(manifest.assignments));
    if (reader.parent()) fmt::print("a branch of {} from frame {}\n", manifest.parent, manifest.branchFrame);
    printBranches(path, 1);
    return kDone;
}

}  // namespace

int printInfo(const std::string& source) {
    return fs::path(source).extension() == ".ma" ? printScene(source) : printCache(source);
}

int verify(const std::string& cache, int rerun) {
    const std::vector<std::string> problems = verifyCache(cache);
    for (const std::string& problem : problems) fmt::print(stderr, "{}\n", problem);
    if (!problems.empty()) {
        fmt::print(stderr, "{}: {} problem{}; simulate again\n", cache, problems.size(),
                   problems.size() == 1 ? "" : "s");
        return kWrongInput;
    }
    fmt::print("{}: {} frames, all as they were written\n", cache, CacheReader(cache).manifest().frames.size());
    return rerun < 0 || rerunAgrees(cache, rerun) ? kDone : kWrongInput;
}

int describeNodes(bool json) {
    const std::vector<NodeReference> nodes = nodeReferences();
    fmt::print("{}", json ? toJson(nodes) : toMarkdown(nodes));
    return kDone;
}

}  // namespace purl
