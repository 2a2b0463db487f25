// Reads a Maya ASCII scene into a graph: executes the statements it knows and counts those it does not. No MEL in a
// scene is ever executed; script nodes keep their text and that is all.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "host/graph/graph.h"

namespace purl::host {

struct LoadReport {
    int statements = 0;                       // in the file, and in the files it refers to
    std::map<std::string, int> executed;      // statements, by command
    std::map<std::string, int> skipped;       // what was left out, by kind: "relationship", "setAttr mesh.covm"
    std::map<std::string, int> unknownTypes;  // placeholders made, by node type; Maya's own bookkeeping is left out
    std::vector<std::string> warnings;        // one line each: "scene.ma:12: …"; the first kMaxWarnings of them
    int moreWarnings = 0;                     // that were left out
    std::vector<std::string> missingPlugins;  // required, and no node type of theirs is known
    std::vector<std::string> references;      // files read because the scene refers to them, in their order

    std::string mayaVersion;  // that wrote it: "2024ff02"
    std::string linearUnit = "cm", angularUnit = "deg", timeUnit = "film";
    double framesPerSecond = 24;
    bool hasFrameRange = false;              // of the scene's playbackOptions
    double firstFrame = 1, lastFrame = 120;  // playback
    double animationStart = 1, animationEnd = 200;
    std::string upAxis = "y";  // "y" or "z"

    static constexpr size_t kMaxWarnings = 100;
    static constexpr size_t kMaxKinds = 100, kMaxKindBytes = 120;  // of skipped and unknownTypes
    void warn(const std::string& line);
    static int count(std::map<std::string, int>& kinds, const std::string& kind);  // one more; returns how many
    int skippedCount() const;
    std::string summary() const;  // "412 statements, 3 skipped (relationship 3), unknown nodes kept (polyBevel 1)"
};

// Throws Error for a file that cannot be read or is not Maya ASCII, SyntaxError for one that breaks off, Interrupted
// where a person asks for it.
// Everything else that goes wrong is a warning in the report, and the rest of the scene loads.
LoadReport loadScene(Graph& graph, const std::string& path);
// Adds what the file holds to a graph, under a namespace unless that is empty. The file's units are its own.
LoadReport loadInto(Graph& graph, const std::string& path, const std::string& nameSpace);
LoadReport loadSceneText(Graph& graph, std::string_view text, const std::string& fileName);

}  // namespace purl::host
