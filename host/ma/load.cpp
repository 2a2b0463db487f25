#include "host/ma/load.h"

#include <cmath>
#include <filesystem>

#include "host/builtin/builtin.h"
#include "host/ma/loader.h"
#include "solver/core/path.h"

namespace purl::host {
namespace {

namespace fs = std::filesystem;

// "2024ff02" of "//Maya ASCII 2024ff02 scene"
std::string versionOf(std::string_view text) {
    const std::size_t at = text.find("//Maya ASCII");
    const std::vector<std::string> words =
        splitWords(std::string(text.substr(at + 12, text.find('\n') - at - 12)), " \t\r");
    return words.empty() ? "" : words[0];
}

LoadReport load(Graph& graph, std::string_view text, const std::string& fileName, const std::string& folder) {
    checkIsMayaAscii(text, fileName);
    LoadReport report;
    report.mayaVersion = versionOf(text);
    addDefaultNodes(graph);
    Graph::Scope scope(graph);
    FilesRead files(fileName);
    Loader(graph, report, files, fileName, folder, "", 0).run(text);
    const Units& units = graph.units;
    report.linearUnit = units.linear;
    report.angularUnit = units.angular;
    report.timeUnit = units.time;
    report.framesPerSecond = kTicksPerSecond / units.ticksPerFrame;
    report.upAxis = graph.upAxis();
    if (report.hasFrameRange) {
        graph.minTicks = report.firstFrame * units.ticksPerFrame;
        graph.maxTicks = report.lastFrame * units.ticksPerFrame;
        graph.startTicks = report.animationStart * units.ticksPerFrame;
        graph.endTicks = report.animationEnd * units.ticksPerFrame;
    }
    return report;
}

}  // namespace

void LoadReport::warn(const std::string& line) {
    if (warnings.size() < kMaxWarnings)
        warnings.push_back(oneLine(line));
    else
        ++moreWarnings;
}

int LoadReport::count(std::map<std::string, int>& kinds, const std::string& kind) {
    const std::string key = oneLine(kind, kMaxKindBytes);
    const bool fits = kinds.size() < kMaxKinds || kinds.count(key) > 0;
    return ++kinds[fits ? key : "others"];
}

int LoadReport::skippedCount() const {
    int n = 0;
    for (const auto& [kind, count] : skipped) n += count;
    return n;
}

std::string LoadReport::summary() const {
    std::map<std::string, int> commands;  // "setAttr mesh.covm" and "setAttr mesh.dcc" are both setAttr
    for (const auto& [kind, count] : skipped) commands[kind.substr(0, kind.find(' '))] += count;
    const auto list = [](const std::map<std::string, int>& counts) {
        std::string text;
        for (const auto& [kind, count] : counts)
            text += (text.empty() ? "" : ", ") + kind + " " + std::to_string(count);
        return text;
    };
    std::string text = std::to_string(statements) + " statements";
    if (!skipped.empty()) text += ", " + std::to_string(skippedCount()) + " skipped (" + list(commands) + ")";
    if (!unknownTypes.empty()) text += ", unknown nodes kept (" + list(unknownTypes) + ")";
    const size_t warned = warnings.size() + size_t(moreWarnings);
    if (warned > 0) text += ", " + std::to_string(warned) + (warned == 1 ? " warning" : " warnings");
    if (moreWarnings > 0) text += " of which " + std::to_string(warnings.size()) + " are shown";
    return text;
}

LoadReport loadScene(Graph& graph, const std::string& path) {
    const std::string text = readSceneFile(path);
    graph.scenePath = path;
    return load(graph, text, path, toText(toPath(path).parent_path()));
}

LoadReport loadInto(Graph& graph, const std::string& path, const std::string& nameSpace) {
    const std::string text = readSceneFile(path);
    LoadReport report;
    report.mayaVersion = versionOf(text);
    Graph::Scope scope(graph);
    const Units units = graph.units;
    // Loaded like a reference: the scene's own default nodes and time range are preserved.
    FilesRead files(path);
    Loader(graph, report, files, path, toText(toPath(path).parent_path()), nameSpace.empty() ? "" : nameSpace + ":", 1)
        .run(text);
    graph.units = units;
    return report;
}

LoadReport loadSceneText(Graph& graph, std::string_view text, const std::string& fileName) {
    return load(graph, text, fileName, toText(toPath(fileName).parent_path()));
}

}  // namespace purl::host
