// purl info, describe: contents of a scene or cache, and attributes of the nodes.
#include <algorithm>
#include <filesystem>

#include "app/commands.h"
#include "app/print.h"
#include "farm/commands.h"
#include "farm/doctor.h"
#include "farm/estimate.h"
#include "farm/playback.h"
#include "host/ma/load.h"
#include "nodes/nodes.h"
#include "solver/cache/attributes.h"
#include "solver/cache/cache.h"
#include "solver/cache/foreignCache.h"
#include "solver/cache/frameList.h"
#include "solver/core/hash.h"
#include "solver/core/machine.h"
#include "solver/core/path.h"
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

// Prints what was loaded from a scene file and what was skipped.
void printReport(const std::string& path, const host::Graph& graph, const host::LoadReport& report) {
    printOut("{}: Maya ASCII {}, frames {} to {} at {} fps, in {} and {}, {} up\n", path, report.mayaVersion,
             report.firstFrame, report.lastFrame, report.framesPerSecond, report.linearUnit, report.angularUnit,
             report.upAxis);
    std::map<std::string, int> types;
    for (const host::NodePtr& node : graph.nodes())
        if (!node->type->placeholder) ++types[node->type->name];
    printOut("nodes: {}\nstatements: {}\n", counts(types), counts(report.executed));
    if (!report.unknownTypes.empty())
        printOut("unknown node types, kept but inactive: {}\n", counts(report.unknownTypes));
    if (!report.skipped.empty()) printOut("skipped: {}\n", counts(report.skipped));
    if (!report.missingPlugins.empty()) printOut("missing plug-ins: {}\n", joined(report.missingPlugins));
    for (const std::string& warning : report.warnings) printOut("warning: {}\n", warning);
    if (report.moreWarnings > 0) printOut("and {} more warnings\n", report.moreWarnings);
}

int printScene(const std::string& path) {
    {
        host::Graph graph;
        loadPurl();
        const host::LoadReport report = host::loadScene(graph, path);
        printReport(path, graph, report);
        if (graph.nodesOfType("purlSolver").empty()) {
            printOut("no purlSolver: nothing to simulate\n");
            return kDone;
        }
    }
    Playback playback(path);
    const Estimate estimate = estimateRun(patientOf(playback), playback.playbackRange().last, 0, availableMegabytes());
    printOut("estimate for frames {} to {}: {}\n", playback.startFrame(), playback.playbackRange().last,
             estimate.text());
    for (const std::string& warning : estimate.warnings) printOut("warning: {}\n", warning);
    const auto first = playback.frame(playback.startFrame());
    // In scene units, as --set takes them.
    const host::Units& units = playback.graph().units;
    Scene scene = playback.solver().scene();
    scaleLengths(scene, 1 / (units.cmPerUnit * playback.graph().plug(playback.solverName() + ".spaceScale").number()));
    printOut("{} particles at frame {}\n{}", first->points.count(), playback.startFrame(),
             toString(scene, units.linear));
    return kDone;
}

// Prints the tree of branches below a cache.
void printBranches(const std::string& path, int depth) {
    for (const std::string& name : branchesOf(path)) {
        const std::string where = branchFolder(path, name);
        const Manifest manifest = CacheReader(where).manifest();
        printOut("{:{}}branch {}: from frame {}, {} frames, {}\n", "", 2 * depth, name, manifest.branchFrame,
                 manifest.frames.size(), joined(manifest.run.assignments));
        printBranches(where, depth + 1);
    }
}

int printCache(const std::string& path) {
    const CacheReader reader(path);
    const Manifest& manifest = reader.manifest();
    printOut("{}: {} frames at {} fps, {} m per unit, from {}\n", path, manifest.frames.size(), manifest.fps,
             manifest.metersPerUnit, manifest.scenePath);
    for (const auto& frame : manifest.frames) {
        uintmax_t bytes = 0;
        for (const auto& file : frame.files) bytes += file.receipt.bytes;
        printOut("  frame {:4}  {:8} particles  {:10} bytes in {} files  {}\n", frame.number, frame.particles, bytes,
                 frame.files.size(), frame.stateHash ? toHex(frame.stateHash) : "interpolated");
    }
    std::vector<std::string> attributes;
    for (const AttributeRecord& attribute : manifest.attributes) attributes.push_back(attribute.name);
    std::sort(attributes.begin(), attributes.end());
    attributes.erase(std::unique(attributes.begin(), attributes.end()), attributes.end());
    printOut("written by {} as {}: {}\n", manifest.run.toolVersion, joined(manifest.formats), joined(attributes));
    if (!manifest.run.assignments.empty()) printOut("set: {}\n", joined(manifest.run.assignments));
    std::vector<std::string> inputs;
    for (const InputFile& file : manifest.run.inputs) inputs.push_back(file.path);
    printOut("run {}, solver {}, inputs: {}\n", toHex(manifest.identity), manifest.run.solver, joined(inputs));
    if (reader.parent()) printOut("branch of {} from frame {}\n", manifest.parent, manifest.branchFrame);
    printBranches(path, 1);
    return kDone;
}

// "8 vertices, 12 faces; position, velocity" of each item of a frame.
template <class Item>
void printItem(const char* what, const std::string& name, const std::string& size, const Item& item) {
    std::vector<std::string> names;
    for (const Attribute& attribute : attributesOf(item)) names.push_back(attribute.name);
    printOut("  {} {}: {}; {}\n", what, name, size, joined(names));
}

// A cache of another program: its first and last frame stand for the others.
int printForeign(const std::string& path) {
    const ForeignCache cache(path);
    const std::vector<double>& times = cache.times();
    FrameList frames;
    for (const int number : cache.frames()) frames.add(number);
    printOut("{}: {}, {} samples, frames {} at {} fps\n", path, cache.kind(), times.size(), frames.text(), cache.fps());
    if (frames.numbers().size() < times.size())
        printOut("{} samples between frames\n", times.size() - frames.numbers().size());
    for (const double time : {times.front(), times.back()}) {
        const Frame frame = cache.at(time);
        printOut("frame {}: {} m per unit\n", time, frame.metersPerUnit);
        for (int body = 0; body < static_cast<int>(frame.bodies.size()); ++body) {
            const Points points = pointsOf(frame, body);
            printItem("particles", frame.bodies[static_cast<size_t>(body)].name, std::to_string(points.count()),
                      points);
        }
        for (const Mesh& mesh : frame.meshes) {
            const size_t faces = mesh.faces.empty() ? mesh.triangles.size() / 3 : mesh.faces.counts.size();
            printItem("mesh", mesh.name,
                      fmt::format("{} vertices, {}", mesh.positions.size(),
                                  faces > 0 ? fmt::format("{} faces", faces) : "no faces"),
                      mesh);
        }
        for (const Curves& curves : frame.curves)
            printItem("curves", curves.name, fmt::format("{} of {} points", curves.counts.size(), curves.count()),
                      curves);
        if (times.size() == 1) break;
    }
    for (const std::string& note : cache.notes()) printOut("note: {}\n", note);
    return kDone;
}

}  // namespace

int printInfo(const std::string& source) {
    if (ForeignCache::accepts(source)) return printForeign(source);
    return toPath(source).extension() == ".ma" ? printScene(source) : printCache(source);
}

int describeCommands() {
    printOut("{}", commandsPage());
    return kDone;
}

int describeNodes(bool json) {
    const std::vector<NodeReference> nodes = nodeReferences();
    printOut("{}", json ? toJson(nodes) : toMarkdown(nodes));
    return kDone;
}

}  // namespace purl
